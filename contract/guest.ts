import type { ReportReason } from './reports.ts'

/** A photo as a guest page draws it. Addresses are paths of this origin or absolute. */
export interface GuestPhoto {
  id: string
  /** Neutral name, shown in the print's margin and used for saving. */
  filename: string
  /** Null while it is being made. */
  thumbnailUrl: string | null
  /** Pixels, upright; null while unknown. */
  width: number | null
  height: number | null
  /** ThumbHash, base64, drawn until the picture is there. */
  thumbhash: string | null
}

/** The brand of the photographer, where the plan has one: their own choice, and never their name. Shown on white. */
export interface GuestLogo {
  /** Public address of a PNG. */
  url: string
  /** Pixels. */
  width: number
  height: number
}

/** Where the bytes are, for a guest who may have them. */
export interface GuestFile {
  /** Attachment. */
  downloadUrl: string
  /** The same bytes for showing on the page and for the share sheet. */
  inlineUrl: string
  bytes: number
  /** Media type. */
  type: string
}

/** The report form below a photo, closed until it is asked for. */
export interface GuestReport {
  /** Where its form is posted without JavaScript. */
  action: string
  reasons: readonly ReportReason[]
}

/**
 * Everything a guest page can show. `server/http/pages.ts` renders it with the artefact built from `web/guest/`; no
 * field names the owner, but a brand's logo is shown.
 */
export type GuestPage =
  | {
      page: 'request'
      /** `off`: letters cannot be sent from here, and the page says so. */
      state: 'form' | 'bad' | 'failed' | 'sent' | 'off'
      photo: GuestPhoto
      /** Still being processed: the page waits with the guest. */
      processing: boolean
      /** What was typed, for `bad`, `failed` and `sent`. */
      email: string
      /** Why the address or the request was refused. */
      problem: string | null
      report: GuestReport
      logo?: GuestLogo | null
    }
  | {
      page: 'photo'
      /** How the guest came: by a letter, or by the direct code. */
      by: 'grant' | 'code'
      photo: GuestPhoto
      /** Null while the photo is still being processed. */
      file: GuestFile | null
      /** ISO 8601; null when the link does not expire. */
      expiresAt: string | null
      /** Offer the share sheet first: iOS and iPadOS. */
      ios: boolean
      report: GuestReport
      logo?: GuestLogo | null
    }
  /** After a report without JavaScript; `ok` false: no reason was chosen. */
  | { page: 'reported'; ok: boolean; photo: GuestPhoto; report: GuestReport; logo?: GuestLogo | null }
  /** Where whoever has a mailbox stops photos to it, and lets them come again. */
  | {
      page: 'stop'
      /** `ask`: nothing is stopped yet. `allowed`: photos may come again. */
      state: 'ask' | 'stopped' | 'allowed'
      /** Where the page's one button is posted; null where there is none. */
      action: string | null
    }
  | { page: 'gone'; why: 'photo' | 'expired' | 'stop' }

/** What the page around it needs. */
export interface GuestFrame {
  /** `PUBLIC_URL`, for preview cards and the canonical address. */
  publicUrl: string
  /** Path of this page. */
  path: string
  /** Address of the letter's picture for preview cards; null for none. */
  previewUrl: string | null
}

/** A letter to a guest or a user. Every text in it comes from the catalogues; values are escaped. */
export type Letter = PhotoLetter | LinkLetter | NoticeLetter

/** A letter with a link that does one thing: `verify` also serves a change of address, with `changed` true. */
export interface LinkLetter {
  kind: 'reset' | 'verify' | 'archive'
  url: string
  /** ISO 8601. */
  expiresAt: string
  changed?: boolean
}
/** A letter that only tells: a password was changed, an address was changed, an account is gone. */
export interface NoticeLetter {
  kind: 'password-changed' | 'email-changed' | 'account-deleted'
  /** When it happened, ISO 8601. */
  at: string
  /** The new address, for `email-changed`, with its middle left out. */
  newEmail?: string
}
/** A letter with a photo that a guest asked for. */
export interface PhotoLetter {
  kind: 'photo'
  /** The brand of the photographer, where the plan has one: a name is never given. */
  logo: { cid: string; width: number; height: number } | null
  /** The grant page. */
  url: string
  /** Neutral name of the photo. */
  filename: string
  /** ISO 8601: until when the link works. */
  expiresAt: string
  /** Whether the photo is attached as well. */
  attached: boolean
  /** Where its reader stops such letters. */
  stopUrl: string
}
/** Names of the letters there are. */
export type LetterKind = Letter['kind']

/** What surrounds every letter: who runs this Keepsnap. */
export interface LetterFrame {
  publicUrl: string
  /** Name and address of the operator, for the small print. */
  operator: { name: string; address: string; email: string }
}
/** A letter ready for the mail port. */
export interface WrittenLetter {
  /** One line. */
  subject: string
  html: string
  text: string
}

/** What the artefact exports: whole documents, and the hashes that the pages' security policy needs. */
export interface GuestRenderer {
  renderGuestPage(page: GuestPage, frame: GuestFrame): string
  renderLetter(letter: Letter, frame: LetterFrame): WrittenLetter
  /** `'sha256-...'` sources of the inline style and script. */
  inlineStyles: readonly string[]
  inlineScripts: readonly string[]
}
