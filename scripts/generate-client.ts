/** Generates client/api.ts from the contract, or with --check fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { User } from '@keepsnap/contract/accounts.ts'
import { adminListUsers, AdminStats, AdminUser, AdminUserDetail } from '@keepsnap/contract/admin-api.ts'
import { PhotoPage } from '@keepsnap/contract/customer-api.ts'
import * as fields from '@keepsnap/contract/field-descriptions.ts'
import { health } from '@keepsnap/contract/health.ts'
import { Photo } from '@keepsnap/contract/photos.ts'
import { publicCalls } from '@keepsnap/contract/public-api.ts'
import * as events from '@keepsnap/contract/webhook-events.ts'
import { clientTypes } from './client-types.ts'
import { root } from './source-files.ts'

const { eventDescriptions } = fields
const target = join(root, 'client/api.ts')
const text = clientTypes({
  types: {
    Photo: { schema: Photo, fields: fields.photoFields },
    PhotoPage: { schema: PhotoPage, fields: fields.photoPageFields },
    User: { schema: User, fields: fields.userFields },
    Health: { schema: health.reply, fields: fields.healthFields },
    AdminUser: { schema: AdminUser, fields: fields.adminUserFields },
    AdminUserPage: { schema: adminListUsers.reply, fields: fields.adminUserPageFields },
    AdminUserDetail: { schema: AdminUserDetail, fields: fields.adminUserDetailFields },
    AdminStats: { schema: AdminStats, fields: fields.adminStatsFields },
    PhotoReadyEvent: { schema: events.PhotoReadyEvent, fields: eventDescriptions['photo.ready'] },
    PhotoFailedEvent: { schema: events.PhotoFailedEvent, fields: eventDescriptions['photo.failed'] },
    PhotoDeletedEvent: { schema: events.PhotoDeletedEvent, fields: eventDescriptions['photo.deleted'] },
    RequestCreatedEvent: { schema: events.RequestCreatedEvent, fields: eventDescriptions['request.created'] },
  },
  calls: publicCalls,
})
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('client/api.ts does not match the contract; run: npm run types\n')
  process.exitCode = 1
}
