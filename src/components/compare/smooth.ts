/**
 * Returns rows with an exponential moving average of their losses and PSNRs. The average starts at 0; its division by
 * 1 − weightⁿ after n rows corrects that bias, as in Adam. A weight of 0 changes nothing.
 */
export function smooth<Row extends { loss: number; psnr: number }>(rows: readonly Row[], weight: number): Row[] {
  let [loss, psnr, correction] = [0, 0, 1];
  return rows.map((row) => {
    loss = weight * loss + (1 - weight) * row.loss;
    psnr = weight * psnr + (1 - weight) * row.psnr;
    correction *= weight;
    return { ...row, loss: loss / (1 - correction), psnr: psnr / (1 - correction) };
  });
}
