import { estimated, Forecast, type QuickLook } from "../runs/forecast.js";
import { type Progress, type Span, showProgress } from "../terminal/progress.js";

/**
 * Shows progress, and once the time that is left, as soon as it can be estimated.
 * @param workAfter as in `Forecast`
 */
export function showEstimate(span: Span, workAfter: (step: number) => number, quickLook?: QuickLook): Progress {
  const progress = showProgress(span);
  if (!("until" in span)) return progress;
  const forecast = new Forecast(workAfter);
  return {
    update(snapshot) {
      const left = forecast.take(snapshot);
      if (left !== undefined) showProgress({ said: estimated(left, quickLook) });
      progress.update(snapshot);
    },
    stop: () => progress.stop(),
  };
}
