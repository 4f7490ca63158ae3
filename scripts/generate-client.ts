/** Generates client/api.ts from the contract, or with --check fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentUser, User } from '@keepsnap/contract/accounts.ts'
import * as admin from '@keepsnap/contract/admin-api.ts'
import { SubscriptionState } from '@keepsnap/contract/billing.ts'
import * as customer from '@keepsnap/contract/customer-api.ts'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { health } from '@keepsnap/contract/health.ts'
import { LogoGrounds } from '@keepsnap/contract/logo-grounds.ts'
import { Photo } from '@keepsnap/contract/photos.ts'
import { WatermarkCorner, WatermarkSize, WatermarkStrength } from '@keepsnap/contract/watermark.ts'
import { clientTypes, commentsIn } from './client-types.ts'
import { root } from './source-files.ts'

const target = join(root, 'client/api.ts')
const contractFiles = [
  'accounts',
  'admin-api',
  'billing',
  'customer-api',
  'health',
  'logo-grounds',
  'photos',
  'watermark',
]

/** The methods of the client: what a key opens, and whether the service is up. */
const methods = {
  uploadPhoto: customer.uploadPhotoByKey,
  listPhotos: customer.listPhotosByKey,
  latestPhoto: customer.latestPhotoByKey,
  currentUser,
  health,
  listUsers: admin.adminListUsers,
  stats: admin.adminStats,
  getUser: admin.adminGetUser,
}
const contractNames: Record<keyof typeof methods, string> = {
  uploadPhoto: 'uploadPhotoByKey',
  listPhotos: 'listPhotosByKey',
  latestPhoto: 'latestPhotoByKey',
  currentUser: 'currentUser',
  health: 'health',
  listUsers: 'adminListUsers',
  stats: 'adminStats',
  getUser: 'adminGetUser',
}

const known = new Set<object>(Object.values(methods))
const missing = endpoints.filter(
  (each) => accessOf(each).some((kind) => kind === 'key' || kind === 'admin') && !known.has(each),
)
if (missing.length)
  throw new Error(`the client has no method for ${missing.map(({ method, path }) => `${method} ${path}`).join(', ')}`)

const text = clientTypes({
  types: {
    Photo,
    PhotoPage: customer.PhotoPage,
    LogoGrounds,
    WatermarkSize,
    WatermarkCorner,
    WatermarkStrength,
    User,
    SubscriptionState,
    AdminUser: admin.AdminUser,
    AdminUserDetail: admin.AdminUserDetail,
    AdminStats: admin.AdminStats,
  },
  endpoints: methods,
  contractNames,
  comments: new Map(
    contractFiles.flatMap((name) => [...commentsIn(readFileSync(join(root, 'contract', `${name}.ts`), 'utf8'))]),
  ),
})
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('client/api.ts does not match the contract; run: npm run types\n')
  process.exitCode = 1
}
