import { Boolean, Object, Optional } from 'typebox'
import { User } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** The words to which somebody agrees in Settings; the version is stored with each change of mind. */
export const consentVersions = { marketing: '2026-11', promotional: '2026-11' } as const
/** What one can agree to. */
export type ConsentKind = keyof typeof consentVersions

/** The four settings a user may write, spec section 7; any of them, at least one, and nothing else. */
export const updateSettings = endpoint({
  method: 'PUT',
  path: '/user/settings',
  access: 'user',
  summary: 'Change settings; the user as it is then.',
  body: Object(
    {
      use_logo_as_watermark: Optional(Boolean()),
      ask_email_to_receive_photo: Optional(Boolean()),
      allow_marketing_emails: Optional(Boolean()),
      allow_promotional_emails: Optional(Boolean()),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  reply: User,
})
