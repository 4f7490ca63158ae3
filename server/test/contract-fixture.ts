/** Callers and the objects that belong to them, whose ids generated calls can use. */
import type { Access } from '@keepsnap/contract/endpoint.ts'
import { createAdminKey, revokeAdminKey } from '../features/admin/admin-keys.ts'
import { recordWebhookEvent } from '../features/webhooks/record-event.ts'
import { createWebhook, fetchDeliveries } from '../features/webhooks/test/webhook-actions.ts'
import { demoPrices } from '../ports/payments/payment-settings.ts'
import { hashOf, newId } from '../lib/ids.ts'
import { addPhotos } from './add-photos.ts'
import type { LikelyTexts } from './contract-inputs.ts'
import { createKey } from './api-keys.ts'
import { publicUrl, type TestServer } from './harness.ts'
import { makeOperator } from './operators.ts'
import { addSupportMessage } from './support-messages.ts'
import { createGrant, grantPlan, makeUser, openDemoCheckout, validPassword, type TestUser } from './test-data.ts'

/** Placeholders for ids in inputs, so that a seed generates the same inputs whatever the ids are. */
const nameOf = (thing: string): string => `<${thing}>`
const names = (...things: string[]): string[] => things.map(nameOf)

const ids = names('photo', 'failed', 'request', 'apiKey', 'webhook', 'user', 'other', 'checkout')
/** The thing whose id is in a path, by how the path begins; otherwise a photo. */
const thingsByPath = {
  '/api/keys': 'apiKey',
  '/api/webhooks': 'webhook',
  '/api/operator/support': 'supportMessage',
  '/demo-checkout': 'checkout',
  '/user': 'request',
}
/** The texts that are likely in a field or parameter of this name; static ones, and names of things. */
const textsByField: Record<string, readonly string[]> = {
  photo_id: names('photo', 'failed'),
  user_id: names('user', 'other', 'operator'),
  delivery_id: names('delivery'),
  code: names('code', 'photo'),
  grant: names('grant'),
  secret: names('stop', 'grant'),
  token: names('grant', 'stop'),
  session_id: names('checkout'),
  email: names('email', 'otherEmail', 'newEmail'),
  username: [...names('email', 'otherEmail'), 'Sofie'],
  search: names('email', 'user'),
  password: [validPassword],
  current_password: [validPassword],
  new_password: [validPassword, 'Another.Horse.7'],
  price_id: Object.values(demoPrices),
  success_url: [`${publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`],
  cancel_url: [`${publicUrl}/subscription/cancel`],
  url: ['https://hooks.example.com/keepsnap'],
  time_zone: ['Europe/Brussels', 'UTC'],
  until: ['2027-01-01T00:00:00.000Z', '2027-01-01'],
}
/** The texts that fields and parameters of a call are likely to hold. */
export function likelyTextsOf(path: string): LikelyTexts {
  const thing = Object.entries(thingsByPath).find(([start]) => path.startsWith(start))?.[1]
  const idsInPath = [...(thing === undefined ? names('photo', 'failed') : names(thing)), ...names('other')]
  return (field) => (field === 'id' ? idsInPath : (textsByField[field] ?? ids))
}

/** Who calls. */
export type CallerName = Exclude<Access, 'public'> | 'nobody'

/** Callers and their things, as long as they exist. */
export interface ContractFixture {
  headers: Record<CallerName, Record<string, string>>
  /** Replaces the names of things in a text by what they stand for. */
  resolve(text: string): string
  /** Whether everything is still there. */
  allExist(): Promise<boolean>
  /** Removes what is limited in number. */
  cleanUp(): Promise<void>
}

/** What the user has; by name. */
async function makeThings(server: TestServer, user: TestUser): Promise<Record<string, string>> {
  const { pool, tokens } = server.app.deps
  const [[photo], [failed]] = [
    await addPhotos(server, user, { count: 1 }),
    await addPhotos(server, user, { count: 1, state: 'failed' }),
  ]
  const { rows } = await pool.query<{ code: string }>('select code from photos where id = $1', [photo])
  const webhook = await createWebhook(server, user, 'https://hooks.example.com/keepsnap')
  const event = {
    userId: user.id,
    messageId: newId(),
    type: 'photo.deleted',
    timestamp: new Date().toISOString(),
  } as const
  await recordWebhookEvent(server.db, { ...event, data: { photo_id: 'gone', filename: 'dance.jpg' } })
  const [delivery] = await fetchDeliveries(server, user, webhook)
  const { secret, request } = await createGrant(server, { photo: photo!, owner: user.id })
  return {
    photo: photo!,
    failed: failed!,
    code: rows[0]!.code,
    webhook: webhook.id,
    delivery: delivery!.id,
    grant: secret,
    request,
    supportMessage: await addSupportMessage(server, { owner: user.id }),
    stop: tokens.unsubscribe('guest@example.com'),
    checkout: await openDemoCheckout(server),
  }
}

/** Makes callers of every kind, and what they can name. */
export async function createContractFixture(server: TestServer): Promise<ContractFixture> {
  const { pool } = server.app.deps
  const [user, other, operator] = [await makeUser(server), await makeUser(server), await makeOperator(server)]
  await grantPlan(server, user, 'pro_yearly')
  const things = await makeThings(server, user)
  const { key, id: apiKey } = await createKey(server, user)
  const admin = await createAdminKey(server.db, newId())
  if (!admin) throw new Error('there are too many admin keys')
  const values: Record<string, string> = { ...things, apiKey, user: user.id, other: other.id, operator: operator.id }
  Object.assign(values, { email: user.email, otherEmail: other.email })
  return {
    headers: {
      nobody: {},
      user: { authorization: `Bearer ${user.token}` },
      operator: { authorization: `Bearer ${operator.token}` },
      key: { 'x-api-key': key },
      admin: { 'api-key': admin.key },
    },
    resolve: (text) =>
      text.replace(/<(\w+)>/g, (all, thing: string) =>
        thing === 'newEmail' ? `new-${newId(8).toLowerCase()}@example.com` : (values[thing] ?? all),
      ),
    async allExist() {
      const { rows } = await pool.query<{ found: number }>(
        `select (select count(*) from sessions join users on users.id = user_id
             where token_hash = any($1) and is_active and (is_admin or current_plan(users) = 'pro_yearly'))
           + (select count(*) from api_keys where id = $2) + (select count(*) from webhooks where id = $3)
           + (select count(*) from photos where id = any($4) and deleted_at is null) as found`,
        [[hashOf(user.token), hashOf(operator.token)], apiKey, things['webhook'], [things['photo'], things['failed']]],
      )
      return rows[0]!.found === 6
    },
    cleanUp: async () => void (await revokeAdminKey(server.db, admin.id)),
  }
}
