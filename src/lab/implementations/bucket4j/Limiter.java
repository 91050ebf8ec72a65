import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderRefillStage;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

final class Limiter implements Lines.Budgets, Lines.Changeable {
  static final String ARTIFACT = "bucket4j_jdk17-core";

  private static final TimeMeter CLOCK =
      new TimeMeter() {
        @Override
        public long currentTimeNanos() {
          return Lines.nowUs * 1_000;
        }

        @Override
        public boolean isWallClockBased() {
          return true;
        }
      };

  private final String variant;
  private final Map<String, Bucket> buckets = new HashMap<>();
  private long limit;
  private Bandwidth bandwidth;

  private Limiter(String variant) {
    this.variant = variant;
  }

  static Lines.Budgets create(long limit, Duration per, String variant) {
    Limiter limiter = new Limiter(variant);
    limiter.set(limit, per);
    return limiter;
  }

  private void set(long limit, Duration per) {
    BandwidthBuilderRefillStage capacity = Bandwidth.builder().capacity(limit);
    this.limit = limit;
    bandwidth =
        variant.equals("greedy")
            ? capacity.refillGreedy(limit, per).build()
            : capacity.refillIntervally(limit, per).build();
  }

  @Override
  public void change(long limit, Duration per) {
    set(limit, per);
    BucketConfiguration next = BucketConfiguration.builder().addLimit(bandwidth).build();
    for (Bucket bucket : buckets.values())
      bucket.replaceConfiguration(next, TokensInheritanceStrategy.PROPORTIONALLY);
  }

  @Override
  public Map<String, Object> decide(String key, long cost) {
    Bucket bucket =
        buckets.computeIfAbsent(
            key, k -> Bucket.builder().addLimit(bandwidth).withCustomTimePrecision(CLOCK).build());
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(cost);
    Map<String, Object> decision = new HashMap<>();
    decision.put("admitted", probe.isConsumed());
    decision.put("limit", limit);
    decision.put("remaining", probe.getRemainingTokens());
    // Without a wait that suffices it is the largest number.
    if (!probe.isConsumed() && probe.getNanosToWaitForRefill() < Long.MAX_VALUE)
      decision.put("retry_after_us", probe.getNanosToWaitForRefill() / 1e3);
    return decision;
  }
}
