import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

final class Limiter implements Lines.Budgets {
  static final String ARTIFACT = "resilience4j-ratelimiter";

  private final Map<String, RateLimiter> limiters = new HashMap<>();
  private final RateLimiterConfig config;

  private Limiter(RateLimiterConfig config) {
    this.config = config;
  }

  static Lines.Budgets create(long limit, Duration per, String variant) {
    return new Limiter(
        RateLimiterConfig.custom()
            .limitForPeriod(Math.toIntExact(limit))
            .limitRefreshPeriod(per)
            .timeoutDuration(Duration.ZERO)
            .build());
  }

  @Override
  public Map<String, Object> decide(String key, long cost) {
    RateLimiter limiter = limiters.computeIfAbsent(key, k -> RateLimiter.of(k, config));
    Map<String, Object> decision = new HashMap<>();
    decision.put("admitted", limiter.acquirePermission(Math.toIntExact(cost)));
    decision.put("limit", config.getLimitForPeriod());
    decision.put("remaining", limiter.getMetrics().getAvailablePermissions());
    return decision;
  }
}
