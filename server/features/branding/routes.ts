import type { FastifyRequest } from 'fastify'
import { brandImage, deleteBackground, deleteLogo, uploadBackground, uploadLogo } from '@keepsnap/contract/branding.ts'
import type { Deps } from '../../deps.ts'
import { hasBranding, needsBranding } from '../../domain/brands.ts'
import { isId } from '../../domain/ids.ts'
import { forgetObjects, intendForUser, newKey } from '../../domain/objects.ts'
import { planOf, planOfUser } from '../../domain/plans.ts'
import { Fault, signInAgain } from '../../faults.ts'
import type { Actor } from '../../http/access.ts'
import { sendObject } from '../../http/files.ts'
import { countCall } from '../../http/rates.ts'
import type { Serve } from '../../http/serve.ts'
import { createShelf } from '../../http/shelf.ts'
import type { MadePicture } from '../../images/pictures.ts'
import type { ImagePool } from '../../images/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { dropImage, imageBy, isOpen, lockOwner, replaceImage, type BrandKind } from './queries.ts'
import { createReceiving } from './receive.ts'

type Parts = Pick<Deps, 'db' | 'storage' | 'addresses' | 'media' | 'log'>

const day = 24 * 60 * 60
/** The sweep of a deletion whose store was away begins when the answer is long given. */
const removeAfterMs = 60_000

interface Owner extends Pick<Actor, 'userId' | 'sessionHash'> {
  kind: BrandKind
}

/** Stores a made picture and puts it in the place of the one before; its key. Whoever comes last is the one that stays. */
async function keep(parts: Parts, owner: Owner, made: MadePicture): Promise<string> {
  const { db, storage } = parts
  const { type, bytes, width, height } = made
  const key = newKey('brand')
  await intendForUser(db, owner.userId, [key])
  try {
    await storage.adopt(key, made.path, { type })
    await db.transaction().execute(async (tx) => {
      const granted = await lockOwner(tx, owner.userId)
      if (!granted || !(await isOpen(tx, owner.sessionHash))) throw signInAgain()
      if (!hasBranding(granted)) throw needsBranding(planOf(granted))
      const before = await replaceImage(tx, owner, { key, type, bytes, width, height })
      if (before !== undefined)
        await enqueue(tx, { name: 'remove-object', payload: { key: before }, key: `object:${before}` })
      await publish(tx, { kind: 'user', user: owner.userId })
    })
    return key
  } catch (error) {
    await discard(parts, key)
    throw error
  }
}

/** Best effort: what stays is the sweep's. */
async function discard({ db, storage, log }: Parts, key: string): Promise<void> {
  try {
    await storage.remove([key])
    await forgetObjects(db, [key])
  } catch (error) {
    log.warn({ err: error }, 'a picture that is not used is left for the sweep')
  }
}

/** Whether the bytes were there and are gone now. When not, the job that was queued with the deletion sees to them. */
async function removeNow({ db, storage, log }: Parts, key: string): Promise<boolean> {
  try {
    const wasThere = (await storage.sizeOf(key)) !== null
    await storage.remove([key])
    await forgetObjects(db, [key])
    return wasThere
  } catch (error) {
    log.warn({ err: error }, 'a deleted picture could not be removed from the store yet')
    return false
  }
}

const words = { logo: 'logo', background: 'background image' } as const

/** A user's logo and background: upload, delete, and their public addresses. */
export function branding(serve: Serve, deps: Parts & { images: () => Promise<ImagePool> }): void {
  const { db, storage, addresses, media } = deps
  const receive = createReceiving(deps.images)
  const shelf = createShelf(storage)

  const upload = async (actor: Actor, kind: BrandKind, req: FastifyRequest): Promise<string> => {
    const { userId } = actor
    await countCall(db, 'uploads', userId)
    const plan = await planOfUser(db, userId)
    if (!plan.features.custom_branding) throw needsBranding(plan)
    const key = await receive(userId, req, { kind, take: (made) => keep(deps, { ...actor, kind }, made) })
    media.forgetAll()
    return addresses.brand(key)
  }
  serve(uploadLogo, async (_, { actor, req }) => {
    const url = await upload(actor, 'logo', req)
    return { url, logo_url: url }
  })
  serve(uploadBackground, async (_, { actor, req }) => {
    const url = await upload(actor, 'background', req)
    return { url, background_image_url: url }
  })

  const remove = async (userId: string, kind: BrandKind): Promise<{ partial_success: boolean; detail: string }> => {
    const key = await db.transaction().execute(async (tx) => {
      await lockOwner(tx, userId)
      const gone = await dropImage(tx, userId, kind)
      if (gone === undefined) throw new Fault('not_found', `There is no ${words[kind]} to delete.`)
      const at = new Date(Date.now() + removeAfterMs)
      await enqueue(tx, { name: 'remove-object', payload: { key: gone }, key: `object:${gone}`, at })
      await publish(tx, { kind: 'user', user: userId })
      return gone
    })
    media.forgetAll()
    const isWhole = await removeNow(deps, key)
    const named = kind === 'logo' ? 'Logo' : 'Background image'
    return {
      partial_success: !isWhole,
      detail: isWhole
        ? `${named} deleted successfully`
        : `${named} removed from your profile. The file may already be gone from storage.`,
    }
  }
  serve(deleteLogo, (_, { actor }) => remove(actor.userId, 'logo'))
  serve(deleteBackground, (_, { actor }) => remove(actor.userId, 'background'))

  serve(brandImage, async ({ params }, { req, reply, client }) => {
    const image = isId(params.code) ? await imageBy(db, `brand/${params.code}`) : undefined
    if (!image) await countCall(db, 'unknownCodes', client)
    if (!image || !image.is_active || !hasBranding(image))
      throw new Fault('not_found', 'This picture does not exist, or is no longer used.')
    const { key, bytes, type } = image
    await sendObject(req, reply, {
      storage,
      shelf,
      object: { key, bytes, type, cacheControl: `private, max-age=${day}` },
    })
    return undefined
  })
}
