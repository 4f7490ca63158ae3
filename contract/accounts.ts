import { Boolean, Integer, Literal, Null, Object, Optional, String, type Static } from 'typebox'
import { endpoint, exact, nullable, oneOf, text } from './endpoint.ts'
import { languages } from './languages.ts'

/** What is drawn behind a logo: nothing, the colour of paper, or that of ink. */
export const LogoGround = oneOf('none', 'paper', 'ink')
export type LogoGround = Static<typeof LogoGround>
/** What is drawn behind a logo on pages in the light and in the dark theme, and on the big screen. */
export const LogoGrounds = Object({ light: LogoGround, dark: LogoGround, stage: LogoGround })
export type LogoGrounds = Static<typeof LogoGrounds>

/** How large the watermark is, from small to large. */
export const WatermarkSize = oneOf('small', 'medium', 'large')
export type WatermarkSize = Static<typeof WatermarkSize>
/** Where the watermark is. */
export const WatermarkCorner = oneOf('top-left', 'top-right', 'center', 'bottom-left', 'bottom-right')
export type WatermarkCorner = Static<typeof WatermarkCorner>
/** How opaque the watermark is. */
export const WatermarkStrength = oneOf('light', 'medium', 'strong')
export type WatermarkStrength = Static<typeof WatermarkStrength>

/** How the logo is put on a photo. */
export interface WatermarkLayout {
  size: WatermarkSize
  corner: WatermarkCorner
  strength: WatermarkStrength
}

/**
 * After how many minutes without a new photo the slideshow starts on Latest; 0: never. Its field and its column keep
 * their older name, `slow_show_minutes`.
 */
export const SlideshowDelayMinutes = oneOf(0, 1, 3, 5)
export type SlideshowDelayMinutes = Static<typeof SlideshowDelayMinutes>

/** A language of the web app, guest pages and emails: one of `languages`. */
export const LanguageTag = oneOf(...languages)

/** The signed-in user. Times are ISO 8601 in UTC. */
export const User = Object({
  id: String(),
  username: String(),
  email: String(),
  /** Whether the user has confirmed the email address with the link sent to it. */
  email_verified: Boolean(),
  subscription_tier: oneOf('free', 'pro'),
  /** Public URL of the logo; null without one. */
  logo_url: nullable(String()),
  /** What is drawn behind the logo, so that it can be seen everywhere; null without a logo. */
  logo_grounds: nullable(LogoGrounds),
  /** Public URL of the background image; null without one. */
  background_image_url: nullable(String()),
  use_logo_as_watermark: Boolean(),
  watermark_size: WatermarkSize,
  watermark_corner: WatermarkCorner,
  watermark_strength: WatermarkStrength,
  ask_email_to_receive_photo: Boolean(),
  /** The name that guests are shown, once the email address is confirmed; null without one. */
  brand_name: nullable(String()),
  /** The IANA time zone of times in emails and of guests' file names; null for the server's. */
  time_zone: nullable(String()),
  /** The language of emails to the user; null while unknown, which means English. */
  language: nullable(LanguageTag),
  slow_show_minutes: SlideshowDelayMinutes,
  allow_marketing_emails: Boolean(),
  allow_promotional_emails: Boolean(),
  /** Emails before addresses of guests are removed. */
  allow_request_removal_emails: Boolean(),
  /** Whether this is the session that registered, within its first hour. False for a call with an API key. */
  first_visit: Boolean(),
  is_admin: Boolean(),
  is_active: Boolean(),
  created_at: String(),
  /** When the user first got a paid plan; null if never. */
  became_subscriber_at: nullable(String()),
  /** Photos that exist now: accepted and not deleted. */
  photo_count: Integer(),
  /** The event that new photos go to, or null; only in accounts that have events. */
  current_event_id: Optional(nullable(String())),
})
export type User = Static<typeof User>

const SessionToken = Object({ access_token: String(), token_type: Literal('bearer') })

// form-rules.ts checks it and has the messages. This limit only keeps huge input away from it.
const CredentialText = text(1024)

export const register = endpoint({
  method: 'POST',
  path: '/register',
  access: 'public',
  rate: 'auth',
  deviceCookie: 'set',
  summary: 'Create an account and sign in.',
  body: exact({
    email: CredentialText,
    password: CredentialText,
    time_zone: Optional(String({ maxLength: 1024 })),
    language: Optional(LanguageTag),
  }),
  status: 201,
  reply: SessionToken,
})
export const signIn = endpoint({
  method: 'POST',
  path: '/token',
  access: 'public',
  rate: 'auth',
  deviceCookie: 'counted',
  summary: 'Sign in. The username is the email address.',
  form: true,
  // OAuth 2 clients also send grant_type, scope and others; these are ignored.
  body: Object({ username: CredentialText, password: CredentialText }),
  reply: SessionToken,
})
export const signOut = endpoint({
  method: 'POST',
  path: '/logout',
  access: 'user',
  clearsCache: true,
  summary: 'Sign out of this session.',
  status: 204,
  reply: Null(),
})
export const currentUser = endpoint({
  method: 'GET',
  path: '/user/me',
  access: ['user', 'key'],
  rate: 'photos',
  summary: 'Get the account that you are signed in to, or that the API key belongs to.',
  reply: User,
})

/**
 * Versions of the consent texts in Settings (`web/messages/en/settings.ts`: `news` and `offers`). Each change of a
 * setting stores the version: a new text needs a new version.
 */
export const consentVersions = { marketing: '2026-11.2', promotional: '2026-11' } as const
/** The kinds of consent. */
export type ConsentKind = keyof typeof consentVersions

// form-rules.ts and languages.ts check it and have the messages. This limit only keeps huge input away.
const OptionalText = nullable(String({ maxLength: 1024 }))

/** Changes any of the settings, at least one; null removes the brand name or the time zone. */
export const updateSettings = endpoint({
  method: 'PUT',
  path: '/user/settings',
  access: 'user',
  summary: 'Change settings. Returns the updated user.',
  body: Object(
    {
      use_logo_as_watermark: Optional(Boolean()),
      ask_email_to_receive_photo: Optional(Boolean()),
      username: Optional(String({ maxLength: 1024 })),
      brand_name: Optional(OptionalText),
      time_zone: Optional(OptionalText),
      language: Optional(LanguageTag),
      allow_marketing_emails: Optional(Boolean()),
      allow_promotional_emails: Optional(Boolean()),
      allow_request_removal_emails: Optional(Boolean()),
      watermark_size: Optional(WatermarkSize),
      watermark_corner: Optional(WatermarkCorner),
      watermark_strength: Optional(WatermarkStrength),
      slow_show_minutes: Optional(SlideshowDelayMinutes),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  reply: User,
})
