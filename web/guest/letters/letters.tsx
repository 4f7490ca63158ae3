import { renderToStaticMarkup } from 'react-dom/server'
import type { GuestRenderer, LetterFrame as Frame, WrittenLetter } from '@keepsnap/contract/guest.ts'
import { letters as english } from '../../messages/en/letters.ts'
import { LanguageProvider } from '../../lib/i18n.tsx'
import type { Language } from '../../lib/locales.ts'
import { contentOf, type Content } from './content.ts'
import { LetterBody } from './LetterBody.tsx'
import { LetterFrame } from './LetterFrame.tsx'

/** One line each: a value with line ends in it would otherwise write sentences of its own. */
const line = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** Writes letters in one language, as HTML and as plain text with the same content. */
export function createLetters(language: Language, until: (iso: string) => string): Pick<GuestRenderer, 'renderLetter'> {
  const text = language.text?.letters ?? english

  const plain = ({ heading, lead, act, file, why, stop }: Content, { operator }: Frame): string =>
    [
      heading,
      '',
      ...lead.flatMap((sentences) => [line(sentences), '']),
      ...(act ? [line(act.url), ''] : []),
      ...[act?.until, file].flatMap((one) => (one === undefined ? [] : [line(one)])),
      ...(act?.until === undefined && file === undefined ? [] : ['']),
      '-- ',
      why,
      '',
      ...(stop ? [stop.nothing, '', `${stop.link}:`, line(stop.url), ''] : []),
      text.operator(line(operator.name)),
      `${line(operator.address)} · ${line(operator.email)}`,
      '',
    ].join('\n')

  return {
    renderLetter(letter, frame): WrittenLetter {
      const content = contentOf(letter, { text, frame, until })
      const html = renderToStaticMarkup(
        <LanguageProvider language={language}>
          <LetterFrame lang={language.tag} content={content} frame={frame}>
            <LetterBody {...content} />
          </LetterFrame>
        </LanguageProvider>,
      )
      return { subject: content.subject, html: `<!doctype html>${html}`, text: plain(content, frame) }
    },
  }
}
