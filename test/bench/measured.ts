/** Latencies of one run, in milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** The percentiles of latencies in milliseconds. */
export function latencies(samples: readonly number[]): Latencies {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { count: sorted.length, p50: round(at(0.5)), p99: round(at(0.99)) };
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** One line of the table: what was measured, its baseline in the same run, their ratio and the aim. */
export interface BenchRow {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: number;
  readonly aim: string;
}

export function table(rows: readonly BenchRow[]): string {
  const cells = [
    ['what', 'measured', 'baseline', 'ratio', 'aim'],
    ...rows.map((row) => [row.what, row.measured, row.baseline, String(row.ratio), row.aim]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}
