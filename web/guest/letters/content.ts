import type { Letter, LetterFrame } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Catalogue } from '../../messages/en.ts'

/** What a letter says, whichever way it is written: as HTML or as plain text. */
export interface Content {
  subject: string
  /** What mail programs show behind the subject in their list. */
  preview: string
  heading: string
  /** Sentences, a paragraph each. */
  lead: readonly string[]
  /** The one thing to do. */
  act?: { button: string; url: string; until?: string }
  /** For plain text, where no attachment is drawn. */
  file?: string
  /** Why this letter came. */
  why: string
  /** How its reader stops letters like this one. */
  stop?: { nothing: string; link: string; url: string }
  /** The brand of the photographer. */
  logo?: { cid: string; width: number; height: number } | null
}

interface Parts {
  text: Catalogue['letters']
  frame: LetterFrame
  until: (iso: string) => string
}

/** The words of a letter. */
export function contentOf(letter: Letter, { text, frame, until }: Parts): Content {
  const host = new URL(frame.publicUrl).host
  const linked = (words: Linking, url: string, expiresAt: string): Content => ({
    ...pick(words),
    lead: [words.lead],
    act: { button: words.button, url, until: words.until(until(expiresAt)) },
    why: words.why(host),
  })
  switch (letter.kind) {
    case 'photo': {
      const content = linked(text.photo, letter.url, letter.expiresAt)
      const lead = [text.photo.lead, letter.attached && text.photo.attached].filter((one) => one !== false)
      return {
        ...content,
        lead: [lead.join(' ')],
        file: `${text.photo.file}: ${letter.filename}`,
        stop: { ...text.photo.stop, url: letter.stopUrl },
        logo: letter.logo,
      }
    }
    case 'reset':
    case 'archive':
      return linked(text[letter.kind], letter.url, letter.expiresAt)
    case 'verify':
      return linked(letter.changed ? text.change : text.verify, letter.url, letter.expiresAt)
    case 'password-changed': {
      const words = text.passwordChanged
      const url = new URL(pages.forgotPassword, frame.publicUrl).href
      const lead = [words.lead(until(letter.at)), words.hint]
      return { ...pick(words), lead, act: { button: words.button, url }, why: words.why(host) }
    }
    case 'email-changed': {
      const words = text.emailChanged
      const lead = [words.lead(until(letter.at), letter.newEmail ?? ''), words.hint(frame.operator.email)]
      return { ...pick(words), lead, why: words.why(host) }
    }
    case 'account-deleted': {
      const words = text.accountDeleted
      return { ...pick(words), lead: [words.lead(until(letter.at)), words.hint], why: words.why(host) }
    }
  }
}

type Named = Pick<Content, 'subject' | 'preview' | 'heading'>
interface Linking extends Named {
  lead: string
  button: string
  until: (when: string) => string
  why: (host: string) => string
}

const pick = ({ subject, preview, heading }: Named): Named => ({ subject, preview, heading })
