import { renderToStaticMarkup } from 'react-dom/server'
import type { GuestRenderer, Letter, LetterFrame, WrittenLetter } from '@keepsnap/contract/guest.ts'
import { letters as english } from '../../messages/en/letters.ts'
import { LanguageProvider } from '../../lib/i18n.tsx'
import type { Language } from '../../lib/locales.ts'
import { PhotoLetter } from './PhotoLetter.tsx'

/** One line each: a value with line ends in it would otherwise write sentences of its own. */
const line = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** Writes letters in one language, as HTML and as plain text with the same content. */
export function createLetters(language: Language, until: (iso: string) => string): Pick<GuestRenderer, 'renderLetter'> {
  const { photo: text } = language.text?.letters ?? english

  const plain = (letter: Letter, { publicUrl, operator }: LetterFrame): string =>
    [
      text.heading,
      '',
      [text.lead, letter.attached && text.attached].filter(Boolean).join(' '),
      '',
      line(letter.url),
      '',
      text.until(until(letter.expiresAt)),
      `${text.file}: ${line(letter.filename)}`,
      '',
      '-- ',
      text.why(new URL(publicUrl).host),
      '',
      text.operator(line(operator.name)),
      `${line(operator.address)} · ${line(operator.email)}`,
      '',
    ].join('\n')

  return {
    renderLetter(letter, frame): WrittenLetter {
      const html = renderToStaticMarkup(
        <LanguageProvider language={language}>
          <PhotoLetter lang={language.tag} letter={letter} frame={frame} until={until} />
        </LanguageProvider>,
      )
      return { subject: text.subject, html: `<!doctype html>${html}`, text: plain(letter, frame) }
    },
  }
}
