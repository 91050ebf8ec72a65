import com.google.common.util.concurrent.GuavaClock;
import com.google.common.util.concurrent.RateLimiter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

final class Limiter implements Lines.Budgets, Lines.Changeable {
  static final String ARTIFACT = "guava";

  private final Map<String, RateLimiter> limiters = new HashMap<>();
  private double perSecond;

  static Lines.Budgets create(long limit, Duration per, String variant) {
    Limiter limiter = new Limiter();
    limiter.perSecond = rate(limit, per);
    return limiter;
  }

  private static double rate(long limit, Duration per) {
    return limit * 1e9 / per.toNanos();
  }

  @Override
  public void change(long limit, Duration per) {
    perSecond = rate(limit, per);
    for (RateLimiter limiter : limiters.values()) limiter.setRate(perSecond);
  }

  @Override
  public Map<String, Object> decide(String key, long cost) {
    RateLimiter limiter = limiters.computeIfAbsent(key, k -> GuavaClock.create(perSecond));
    Map<String, Object> decision = new HashMap<>();
    decision.put("admitted", limiter.tryAcquire(Math.toIntExact(cost)));
    return decision;
  }
}
