import { type NoticeItem } from '../transcript/transcript-item.js';
import { showUnseen } from '../text/visible.js';
import { en } from './en/index.js';
import { language, tFilled } from './translate.svelte.js';

type NoticeCode = keyof (typeof en)['notices'];
const isKnown = (code: string): code is NoticeCode => Object.hasOwn(en.notices, code);

/** A notice in the person's language where we have its sentence; in English, and otherwise, as it was told. */
export function noticeWords({
  code,
  params,
  text,
}: Pick<NoticeItem, 'code' | 'params' | 'text'>): string {
  const translated = language() !== 'en' && isKnown(code);
  return showUnseen(translated ? tFilled(`notices.${code}`, params) : text);
}
