import { VARNISH_CONFIGURATIONS as H } from "./src/studies/implementations/draw-varnish.ts";
import { writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
for (let s=1;s<=60;s++) { 
 try { const t=H.draw(s).filesAt({port:1,generation:1} as never)["limits.vcl"]!;
 writeFileSync("/tmp/w/h/xF/c.vcl", t); const r=spawnSync("varnishd",["-C","-f","/tmp/w/h/xF/c.vcl","-n","/tmp/w/h/xF/vs"],{encoding:"utf8"});
 if(r.status!==0) console.log(s,r.stderr.slice(0,300));
 } catch (e) { console.log(s, String(e).slice(0,300)); } }
