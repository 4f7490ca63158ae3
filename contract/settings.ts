import { Boolean, Null, Object, Optional, String, Union } from 'typebox'
import { LanguageTag, SlideshowDelayMinutes, User } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { WatermarkCorner, WatermarkSize, WatermarkStrength } from './watermark.ts'

/**
 * Versions of the consent texts in Settings (`web/messages/en/settings.ts`: `news` and `offers`). Each change of a
 * setting stores the version: a new text needs a new version.
 */
export const consentVersions = { marketing: '2026-11.2', promotional: '2026-11' } as const
/** The kinds of consent. */
export type ConsentKind = keyof typeof consentVersions

// names.ts and time-zones.ts check it and have the messages. This limit only keeps huge input away from them.
const OptionalText = Union([String({ maxLength: 1024 }), Null()])

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
