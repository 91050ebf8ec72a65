// A gateway whose routes come from application.yml. A predicate of its own selects the requests that a limit counts, and
// key resolvers name the client of a request.
package gateway;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;
import org.springframework.cloud.gateway.handler.predicate.AbstractRoutePredicateFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

@SpringBootApplication
public class App {
  public static void main(String[] args) {
    SpringApplication.run(App.class, args);
  }

  @Bean
  @Primary // what a filter has without a name
  KeyResolver byCredential() {
    return exchange -> Mono.just(credentialOf(exchange));
  }

  @Bean
  KeyResolver byAddress() {
    return exchange ->
        Mono.just(exchange.getRequest().getRemoteAddress().getAddress().getHostAddress());
  }

  @Bean
  KeyResolver byNothing() {
    return exchange -> Mono.just("all");
  }

  /** Before all routes; ready as soon as it decides, because its first decision takes longest. */
  @Bean
  RouterFunction<ServerResponse> ready(
      RedisRateLimiter limiter, @Value("${weir.generation}") String generation) {
    limiter.getConfig().put("ready", new RedisRateLimiter.Config().setReplenishRate(1_000_000));
    return RouterFunctions.route(
        RequestPredicates.GET("/weir-ready"),
        request ->
            limiter
                .isAllowed("ready", "all")
                .flatMap(
                    decision -> ServerResponse.noContent().header("weir-generation", generation).build()));
  }

  @Bean
  CountsRoutePredicateFactory countsRoutePredicateFactory() {
    return new CountsRoutePredicateFactory();
  }

  static String credentialOf(ServerWebExchange exchange) {
    String credential = exchange.getRequest().getHeaders().getFirst("authorization");
    return credential == null ? "" : credential;
  }

  /** Matches "CREDENTIAL METHOD /path" by a regular expression. */
  public static class CountsRoutePredicateFactory
      extends AbstractRoutePredicateFactory<CountsRoutePredicateFactory.Config> {
    public CountsRoutePredicateFactory() {
      super(Config.class);
    }

    @Override
    public Predicate<ServerWebExchange> apply(Config config) {
      Pattern pattern = Pattern.compile(config.getPattern());
      return exchange -> {
        var request = exchange.getRequest();
        String name =
            credentialOf(exchange)
                + " "
                + request.getMethod().name()
                + " "
                + request.getURI().getRawPath();
        return pattern.matcher(name).matches();
      };
    }

    public static class Config {
      private String pattern;

      public String getPattern() {
        return pattern;
      }

      public void setPattern(String pattern) {
        this.pattern = pattern;
      }
    }
  }
}
