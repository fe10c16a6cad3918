import { directionOf } from '@calends/model';

/** A line of a mail: plain text, or a link that the HTML part shows by its label. */
export interface MailLine {
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}

/** A mail as paragraphs of lines. */
export interface MailBody {
  /** Canonical BCP 47. */
  readonly language: string;
  readonly subject: string;
  readonly paragraphs: readonly (readonly MailLine[])[];
}

/** The plain-text part: paragraphs with an empty line between them. */
export function textOf({ paragraphs }: MailBody): string {
  return paragraphs.map((lines) => lines.map(({ text }) => text).join('\n')).join('\n\n');
}

/**
 * The HTML part: the same paragraphs, everything escaped.
 *
 * It sets no colours and says that it can be shown light or dark, so that mail programs use the reader's own.
 */
export function htmlOf({ language, subject, paragraphs }: MailBody): string {
  const body = paragraphs.map((lines) => `<p>${lines.map(htmlLine).join('<br>\n')}</p>`).join('\n');
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:1em;color-scheme:light dark;font-family:sans-serif;font-size:16px;line-height:1.5">
<main style="max-width:36em;margin:0 auto">
${body}
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text for HTML, within elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function htmlLine({ text, link }: MailLine): string {
  if (link === undefined) return escapeHtml(text).replaceAll('\n', '<br>\n');
  return `<a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>`;
}
