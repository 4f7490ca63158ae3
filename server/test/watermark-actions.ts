import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { pixelsOf, sharpFrom } from '../images/test/sample-images.ts'
import type { TestServer } from './harness.ts'
import { grantPlan, makeUser, type TestUser, upload, uploadBrandImage } from './test-data.ts'

export const grey = (width: number, height: number, value: number) =>
  sharpFrom({ width, height, data: Buffer.alloc(width * height * 3, value) })
const logo = await grey(200, 100, 255).png().toBuffer()
const black = await grey(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()

/** The brightness in the middle of the logo, on a black photo of 1000 by 600. */
export const brightnessOfLogo = async (file: Buffer): Promise<number> =>
  (await pixelsOf(file))[((600 - 18 - 27) * 1000 + 1000 - 18 - 54) * 3]!

/** What tests of watermarks do with users and photos of a server. The logo is white, photos are black. */
export function watermarkActions(serverOfTest: () => TestServer) {
  const call = (user: TestUser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
    serverOfTest().request({ method, url, token: user.token, ...(body !== undefined && { body }) })
  return {
    call,
    /** A user with a logo, on this plan. */
    async makeBrandedUser(plan: 'free' | 'pro_monthly' = 'pro_monthly'): Promise<TestUser> {
      const server = serverOfTest()
      const user = await makeUser(server)
      await grantPlan(server, user, 'pro_monthly')
      await uploadBrandImage(server, user, 'logo', logo)
      await grantPlan(server, user, plan)
      return user
    },
    setWatermark: (user: TestUser, on: boolean) => call(user, 'PUT', '/user/settings', { use_logo_as_watermark: on }),
    /** An uploaded photo, processed. */
    async addPhoto(user: TestUser, file: Buffer = black): Promise<Photo> {
      const { id } = (await upload(serverOfTest(), user, file)).json<Photo>()
      await serverOfTest().work()
      return (await call(user, 'GET', `/photos/${id}`)).json<Photo>()
    },
    /** The bytes of the full image. */
    async fullImage(user: TestUser, id: string): Promise<Buffer> {
      const { b2_url: url } = (await call(user, 'GET', `/photos/${id}`)).json<Photo>()
      const { pathname, search } = new URL(url!)
      const response = await serverOfTest().request({ method: 'GET', url: pathname + search })
      if (response.statusCode !== 200) throw new Error(`the photo was answered with ${response.statusCode}`)
      return response.rawPayload
    },
    watermarkRunOf: async (user: TestUser): Promise<WatermarkRun> =>
      (await call(user, 'GET', '/user/watermark')).json<WatermarkRun>(),
    startRun: (user: TestUser, what: 'apply' | 'undo') => call(user, 'POST', '/user/watermark', { what }),
  }
}
