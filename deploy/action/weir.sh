#!/usr/bin/env bash
# The step of action.yml: finds Weir, and runs one command of it. `run` and `diff` write annotations and a summary themselves.
set -uo pipefail

fail() {
  echo "::error title=Weir::$1"
  exit 2
}

case $WEIR_COMMAND in
  run | recommend | diff) ;;
  *) fail "there is no command \"$WEIR_COMMAND\" for pull requests; choose run, recommend or diff" ;;
esac

# What a file of a release prints where it does not start, as a sentence.
why_not() {
  case $1 in
    *GLIBC*) echo "$WEIR_FILE needs glibc 2.28 or newer, and this machine has an older one; run the job on a newer image" ;;
    *"Exec format"* | *"cannot execute"*) echo "$WEIR_FILE is not for $(uname -m); take the file for it" ;;
    *) echo "$WEIR_FILE does not start: ${1##*$'\n'}" ;;
  esac
}

if [ -z "$WEIR_FILE" ]; then
  weir=(node_modules/.bin/weir)
  [ -e "${weir[0]}" ] ||
    fail "Weir is not installed in $PWD: run npm ci before this step, or give it a file of a release (file: ...)"
elif [ ! -f "$WEIR_FILE" ]; then
  fail "there is no file $WEIR_FILE in $PWD: add it, or download it before this step"
elif [[ $WEIR_FILE == *.tgz ]]; then
  installed=$RUNNER_TEMP/weir-installed
  # Offline, because the tarball needs no other package.
  npm install --offline --no-save --no-audit --no-fund --silent --prefix "$installed" "$(realpath "$WEIR_FILE")" ||
    fail "npm cannot install $WEIR_FILE: it is not the tarball of a release, or $RUNNER_TEMP is full"
  weir=("$installed/node_modules/.bin/weir")
else
  weir=("$RUNNER_TEMP/weir")
  cp "$WEIR_FILE" "${weir[0]}" && chmod +x "${weir[0]}" || fail "$WEIR_FILE cannot be copied to $RUNNER_TEMP"
fi
printed=$("${weir[@]}" version 2>&1) || fail "$([ -n "$WEIR_FILE" ] && why_not "$printed" || echo "$printed")"

# xargs takes quoted words apart as a shell does, and expands nothing.
words=()
while IFS= read -r -d '' word; do words+=("$word"); done < <(xargs printf '%s\0' <<<"$WEIR_ARGUMENTS")
[ "${words[*]}" != "" ] || words=()

page=$RUNNER_TEMP/weir-$WEIR_COMMAND.html
rm -f "$page"
if [ "$WEIR_COMMAND" = recommend ]; then
  text=$("${weir[@]}" recommend "${words[@]}" --html "$page")
  status=$?
  echo "$text"
  printf '### weir recommend\n\n```text\n%s\n```\n' "$text" >>"$GITHUB_STEP_SUMMARY"
  [ "$status" = 0 ] || echo "::error title=weir recommend::${text%%$'\n'*}"
else
  "${weir[@]}" "$WEIR_COMMAND" "${words[@]}" --html "$page"
  status=$?
fi
[ -e "$page" ] && echo "page=$page" >>"$GITHUB_OUTPUT"
exit "$status"
