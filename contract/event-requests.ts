import { Array, Boolean, Literal, Object, Optional, String, Union } from 'typebox'
import { LanguageTag } from './accounts.ts'
import { endpoint, exact, pathId, text } from './endpoint.ts'
import { eventLimits } from './event-limits.ts'

/** What guests of an event ask for by email: several photos at once, all of them, and to be told when its gallery opens. */

const CodeText = String({ maxLength: 128 })
const FormText = Optional(text(1024))
/** As JSON, or as the box of a form. */
const Box = Optional(Union([Boolean(), Literal('on')]))

/**
 * All photos of one owner come in one email. `codes`: of the photos, or their ids on pages that request them. A photo without an event, and
 * one that guests may not see, are ignored; the answer is the same when none remains, and for every address. `tell_me`: also one email when the
 * galleries of their events open, if that is later. Each photo is a request that its owner sees. For the limits of an address and of an owner,
 * an email counts once; for those of a client, each photo, but once against a request of one photo.
 */
export const requestPhotos = endpoint({
  method: 'POST',
  path: '/d/request-email',
  access: 'public',
  rate: 'photoSets',
  summary: 'Request several photos of events by email, in one. The answer is the same for every address.',
  body: exact({
    codes: Array(CodeText, { minItems: 1, maxItems: eventLimits.requestedPhotos }),
    // form-rules.ts checks it.
    email: text(1024),
    website: FormText,
    language: Optional(LanguageTag),
    tell_me: Optional(Boolean()),
  }),
  reply: Object({ detail: String() }),
})
/**
 * JSON is answered with JSON, a form with a page. `tokens`: of photos in the gallery, as JSON only; those that are not there are ignored.
 * `archive`: a link to all photos as one file, which works for 72 hours and only while the gallery is open and its owner allows that; 404
 * where it does not. `tell_me`: one email when the gallery opens; 409 when it is open and nothing else is asked for. Limits are those of
 * `requestPhotos`, and for `tell_me` that of the network, `notices`.
 */
export const requestFromEvent = endpoint({
  method: 'POST',
  path: '/e/:code/request-email',
  access: 'public',
  rate: 'photoSets',
  summary:
    'Request photos of an event, all of them, or to be told when its gallery opens. The answer is the same for every address.',
  params: Object({ code: pathId }),
  form: 'or JSON',
  body: exact({
    tokens: Optional(Array(CodeText, { maxItems: eventLimits.requestedPhotos })),
    email: FormText,
    website: FormText,
    language: FormText,
    tell_me: Box,
    archive: Box,
  }),
  reply: Object({ detail: String() }),
})

/** The answer when a guest asked to be told, and for nothing else. */
export const noticeAccepted = 'We will email you when the gallery is open.'
