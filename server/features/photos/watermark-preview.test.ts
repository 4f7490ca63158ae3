import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pixelsOf } from '../../images/test/pixels.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser } from '../../test/test-data.ts'
import { brightnessOfLogo, grey, watermarkActions } from './test/watermark-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.images()
})
afterAll(() => server.close())

const { call, makeBrandedUser, setWatermark, addPhoto, fullImage } = watermarkActions(() => server)

describe('the preview', () => {
  test('shows the newest photo with the logo, before the setting is on', async () => {
    const user = await makeBrandedUser()
    const { id } = await addPhoto(user)
    const response = await server.request({ method: 'GET', url: '/user/watermark/preview', token: user.token })
    expect(response.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' })
    expect(await brightnessOfLogo(response.rawPayload)).toBeGreaterThan(170)
    expect(await brightnessOfLogo(await fullImage(user, id))).toBeLessThan(12)
    await setWatermark(user, true)
    await addPhoto(user, await grey(2000, 1200, 0).jpeg().toBuffer())
    const again = await call(user, 'GET', '/user/watermark/preview')
    expect(await sharp(again.rawPayload).metadata()).toMatchObject({ width: 1280, height: 768 })
    // 138 by 69 pixels, 23 from both edges: added once, not twice.
    const pixels = await pixelsOf(again.rawPayload)
    expect(Math.abs(pixels[((768 - 23 - 35) * 1280 + 1280 - 23 - 69) * 3]! - 178)).toBeLessThan(12)
  })
  test('does not exist without a photo, without a logo, or on a plan without branding', async () => {
    const user = await makeUser(server)
    expect((await call(user, 'GET', '/user/watermark/preview')).statusCode).toBe(403)
    await grantPlan(server, user, 'pro_monthly')
    await addPhoto(user)
    expect((await call(user, 'GET', '/user/watermark/preview')).statusCode).toBe(404)
    expect((await call(await makeBrandedUser(), 'GET', '/user/watermark/preview')).statusCode).toBe(404)
  })
})
