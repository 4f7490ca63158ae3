import { afterAll, beforeAll, expect, test } from 'vitest'
import type { User } from '@keepsnap/contract/accounts.ts'
import { sharpFrom } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, uploadBrandImage } from '../../test/test-data.ts'
import { brightnessOfLogo, watermarkActions } from './test/watermark-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { call, makeBrandedUser, setWatermark, addPhoto, fullImage } = watermarkActions(() => server)
const logo = await sharpFrom({ width: 20, height: 10, data: Buffer.alloc(600, 255) })
  .png()
  .toBuffer()

test('branding, watermark and insights stop with the plan, for new photos; what was made before stays as it is', async () => {
  const user = await makeBrandedUser()
  await setWatermark(user, true)
  const before = await addPhoto(user)
  expect(await brightnessOfLogo(await fullImage(user, before.id))).toBeGreaterThan(60)
  const { logo_url: shownLogo } = (await call(user, 'GET', '/user/me')).json<User>()

  await grantPlan(server, user, 'free')
  const after = await addPhoto(user)
  expect(await brightnessOfLogo(await fullImage(user, after.id))).toBeLessThan(20)
  expect(await brightnessOfLogo(await fullImage(user, before.id))).toBeGreaterThan(60)
  expect((await call(user, 'GET', '/user/me')).json<User>()).toMatchObject({
    logo_url: null,
    use_logo_as_watermark: true,
  })
  expect((await call(user, 'GET', new URL(shownLogo!).pathname)).statusCode).toBe(404)
  expect((await uploadBrandImage(server, user, 'logo', logo)).statusCode).toBe(403)
  expect((await call(user, 'GET', '/user/insights')).statusCode).toBe(403)
  expect((await call(user, 'GET', '/photos')).json()).toHaveLength(2)

  await grantPlan(server, user, 'pro_monthly')
  expect(await brightnessOfLogo(await fullImage(user, (await addPhoto(user)).id))).toBeGreaterThan(60)
})

test('on the free plan the watermark setting is stored, without effect, and a logo is refused', async () => {
  const user = await makeUser(server)
  expect((await uploadBrandImage(server, user, 'logo', logo)).statusCode).toBe(403)
  expect((await uploadBrandImage(server, user, 'background', logo)).statusCode).toBe(403)
  expect((await setWatermark(user, true)).json<User>().use_logo_as_watermark).toBe(true)
  expect(await brightnessOfLogo(await fullImage(user, (await addPhoto(user)).id))).toBeLessThan(20)
})
