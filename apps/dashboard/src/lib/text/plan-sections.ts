/** A piece of a plan that can be commented on by itself: a heading with what stands below it. */
export interface PlanSection {
  /** Empty for what stands before the first heading. */
  readonly heading: string;
  readonly text: string;
}

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** The sections of a plan, in order; together they are the whole of it. */
export function planSections(plan: string): PlanSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fenced = false;
  for (const line of plan.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    const heading = fenced ? null : HEADING.exec(line);
    if (heading !== null) sections.push({ heading: heading[1] ?? '', lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n') }))
    .filter(({ text }) => text.trim() !== '');
}

/** Comments on sections and one on the whole, as one text for the agent. */
export function commentsText(
  sections: readonly PlanSection[],
  comments: Readonly<Record<number, string>>,
  whole: string,
): string {
  const each = sections.flatMap(({ heading }, at) => {
    const comment = comments[at]?.trim() ?? '';
    return comment === '' ? [] : [heading === '' ? comment : `> ${heading}\n\n${comment}`];
  });
  return [...each, whole.trim()].filter((piece) => piece !== '').join('\n\n');
}
