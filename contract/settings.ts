import { Boolean, Object, Optional } from 'typebox'
import { User } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { WatermarkCorner, WatermarkSize, WatermarkStrength } from './watermark.ts'

/**
 * Versions of the consent texts in Settings (`web/messages/en/settings.ts`: `news` and `offers`). Each change of a
 * setting stores the version: a new text needs a new version.
 */
export const consentVersions = { marketing: '2026-11.2', promotional: '2026-11' } as const
/** The kinds of consent. */
export type ConsentKind = keyof typeof consentVersions

/** Changes any of the settings, at least one; docs/behaviour.md section 7. */
export const updateSettings = endpoint({
  method: 'PUT',
  path: '/user/settings',
  access: 'user',
  summary: 'Change settings. Returns the updated user.',
  body: Object(
    {
      use_logo_as_watermark: Optional(Boolean()),
      ask_email_to_receive_photo: Optional(Boolean()),
      allow_marketing_emails: Optional(Boolean()),
      allow_promotional_emails: Optional(Boolean()),
      watermark_size: Optional(WatermarkSize),
      watermark_corner: Optional(WatermarkCorner),
      watermark_strength: Optional(WatermarkStrength),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  reply: User,
})
