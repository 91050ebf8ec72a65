package com.google.common.util.concurrent;

import java.lang.reflect.Field;

/** The clock of a RateLimiter can be given by a class of its own package alone. */
public final class GuavaClock {
  private GuavaClock() {}

  public static RateLimiter create(double perSecond) {
    return RateLimiter.create(
        perSecond,
        new RateLimiter.SleepingStopwatch() {
          @Override
          protected long readMicros() {
            return now();
          }

          @Override
          protected void sleepMicrosUninterruptibly(long micros) {}
        });
  }

  /** Lines has no package, so this class cannot name it. */
  private static long now() {
    try {
      Field field = Class.forName("Lines").getDeclaredField("nowUs");
      field.setAccessible(true);
      return field.getLong(null);
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }
}
