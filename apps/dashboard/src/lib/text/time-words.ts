const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

type Unit = 'second' | 'minute' | 'hour' | 'day';
const UNITS: readonly (readonly [Unit, number])[] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
];

/** Makes formatters once a language: each costs more than what it formats. */
function perLanguage<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const formatter = made.get(language) ?? make(language);
    made.set(language, formatter);
    return formatter;
  };
}

const relative = perLanguage(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
);
const sameYear = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }),
);
const otherYear = perLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric' }),
);
const exact = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const clock = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }),
);
const unitOf = perLanguage(
  (language) =>
    new Map(
      UNITS.map(([unit]) => [
        unit,
        new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }),
      ]),
    ),
);

/** A moment in the past beside now: `now`, `3 min. ago`, `yesterday`, then the date. */
export function timeAgo(then: number, now: number, language: string): string {
  const passed = Math.max(0, now - then);
  if (passed < 45 * SECOND) return relative(language).format(0, 'second');
  if (passed < HOUR) return relative(language).format(-Math.round(passed / MINUTE), 'minute');
  if (passed < DAY) return relative(language).format(-Math.round(passed / HOUR), 'hour');
  if (passed < WEEK) return relative(language).format(-Math.round(passed / DAY), 'day');
  const inYear = new Date(then).getFullYear() === new Date(now).getFullYear();
  return (inYear ? sameYear : otherYear)(language).format(then);
}

/** The moment to the second, for who hovers or presses long. */
export function exactTime(then: number, language: string): string {
  return exact(language).format(then);
}

/** The time of day, such as 14:02. */
export function timeOfDay(then: number, language: string): string {
  return clock(language).format(then);
}

/** The two units that tell a span: the largest that is in it, and the next; seconds only by themselves. */
function tellingUnits(duration: number): (readonly [Unit, number])[] {
  const first = UNITS.findIndex(([, size]) => duration >= size);
  const [unit, next] = [UNITS[first], UNITS[first + 1]];
  if (unit === undefined) return [['second', SECOND]];
  return next === undefined || next[0] === 'second' ? [unit] : [unit, next];
}

/** A span in at most two units: `7 hr 42 min`, `12 sec`. */
export function span(duration: number, language: string): string {
  let left = Math.max(0, duration);
  const words = tellingUnits(left).flatMap(([unit, size], at) => {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count === 0 && at > 0) return [];
    return [unitOf(language).get(unit)?.format(count) ?? String(count)];
  });
  return words.join(' ');
}
