import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The protocol for limiters written in Java: java Lines CLOCK HOME VARIANT. The limiter is the class Limiter. */
public final class Lines {
  /** One limit, and its budgets by key. */
  interface Budgets {
    Map<String, Object> decide(String key, long cost);
  }

  /** Budgets that take another limit while they run. */
  interface Changeable {
    void change(long limit, Duration per);
  }

  /** The time that a limiter reads, in microseconds since 1970; of a real clock it is not used. */
  static long nowUs;

  private static final Gson GSON = new Gson();

  private final String clock;
  private final Path home;
  private final String variant;
  private List<Budgets> budgets = List.of();

  private Lines(String clock, Path home, String variant) {
    this.clock = clock;
    this.home = home;
    this.variant = variant;
  }

  /** What was loaded, by the name of its archive. */
  private String version() throws IOException {
    String prefix = Limiter.ARTIFACT + "-";
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(home.resolve("lib"), prefix + "*.jar")) {
      for (Path archive : archives) {
        String name = archive.getFileName().toString();
        return name.substring(prefix.length(), name.length() - ".jar".length());
      }
    }
    return "unknown";
  }

  private static long limitOf(JsonElement each) {
    return each.getAsJsonObject().get("limit").getAsLong();
  }

  private static Duration perOf(JsonElement each) {
    return Duration.ofNanos(each.getAsJsonObject().get("per_us").getAsLong() * 1_000);
  }

  private Object reply(JsonObject question) throws IOException {
    String op = question.get("op").getAsString();
    switch (op) {
      case "describe":
        return Map.of(
            "protocol", 1, "id", Limiter.ARTIFACT, "version", version(), "clock", clock, "cost", true);
      case "configure":
        nowUs = question.get("at_us").getAsLong();
        budgets = new ArrayList<>();
        for (JsonElement each : question.getAsJsonArray("limits"))
          budgets.add(Limiter.create(limitOf(each), perOf(each), variant));
        return Map.of("ok", true);
      case "change":
        nowUs = question.get("at_us").getAsLong();
        int i = 0;
        for (JsonElement each : question.getAsJsonArray("limits")) {
          if (!(budgets.get(i++) instanceof Changeable changeable))
            return Map.of("cannot", List.of("it cannot change a limit while it runs"));
          changeable.change(limitOf(each), perOf(each));
        }
        return Map.of("ok", true);
      case "decide":
        nowUs = question.get("at_us").getAsLong();
        Budgets asked = budgets.get(question.get("limit_index").getAsInt());
        Map<String, Object> decision =
            asked.decide(question.get("key").getAsString(), question.get("cost").getAsLong());
        if (clock.equals("real")) decision.put("at_us", ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        return decision;
      default:
        return Map.of("error", "it has no operation " + op);
    }
  }

  public static void main(String[] args) throws IOException {
    Lines lines = new Lines(args[0], Path.of(args[1]), args.length > 2 ? args[2] : "");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Object answer;
      try {
        answer = lines.reply(JsonParser.parseString(line).getAsJsonObject());
      } catch (RuntimeException error) {
        answer = Map.of("error", error.toString());
      }
      out.println(GSON.toJson(answer));
    }
  }
}
