import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, upload, type TestUser } from '../../test/test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const statusOf = async ({ token }: TestUser) =>
  (await server.request({ method: 'GET', url: '/subscriptions/status', token })).json<SubscriptionStatus>()

test('the status has the plan, its limits and what is used of them; a deleted photo counts for the month only', async () => {
  const user = await makeUser(server)
  const photo = (await upload(server, user, await jpeg())).json<Photo>()
  await upload(server, user, await jpeg())
  await server.work()
  const { size_bytes: bytes } = (
    await server.request({ method: 'GET', url: `/photos/${photo.id}`, token: user.token })
  ).json<Photo>()
  const status = await statusOf(user)
  expect(status).toMatchObject({
    has_subscription: false,
    subscription: null,
    until: null,
    plan: { id: 'free', name: 'Free', price_cents: 0, interval_type: 'month', features: { custom_branding: false } },
    current_usage: { photos_uploaded: 2 },
    plan_limits: { max_photos: 10, storage_gb: 1, max_file_size_mb: 50 },
    usage_percentage: { photos: 20 },
  })
  expect(status.current_usage.storage_used_bytes).toBeGreaterThan(2 * (bytes ?? 0))
  const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()]
  expect(status.month_ends_at).toBe(new Date(Date.UTC(year, month + 1, 1)).toISOString())

  await server.request({ method: 'DELETE', url: `/photos/${photo.id}`, token: user.token })
  const { current_usage: after } = await statusOf(user)
  expect(after).toEqual({ photos_uploaded: 2, storage_used_bytes: status.current_usage.storage_used_bytes / 2 })
})

test('a complimentary plan shows its limits', async () => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  expect(await statusOf(user)).toMatchObject({
    has_subscription: false,
    plan: { id: 'pro_yearly', features: { api_access: true } },
    plan_limits: { max_photos: 1000, storage_gb: 50, max_file_size_mb: 100 },
    current_usage: { photos_uploaded: 0, storage_used_bytes: 0 },
  })
})
