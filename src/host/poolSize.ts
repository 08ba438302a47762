/** With more workers, the serial work between tasks would dominate a step. */
const maxWorkers = 16;

/** Returns the number of workers for a number of cores. */
export function workersFor(cores: number): number {
  return Math.min(Math.max(1, cores), maxWorkers);
}

/** Returns the description of a pool, such as "CPU, 4 workers". */
export function poolDescription(workers: number): string {
  return `CPU, ${workers} ${workers === 1 ? "worker" : "workers"}`;
}
