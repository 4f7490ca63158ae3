import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { allowPage, allowPhotos, stopPage, stopPhotos, stopUnknown } from '@keepsnap/contract/requests.ts'
import type { Deps } from '../../deps.ts'
import { guestFrame } from '../../domain/guests.ts'
import { sendGuestPage } from '../../http/pages.ts'
import { countCall } from '../../http/rates.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { addBlock, dropBlock, isBlocked } from './blocks.ts'

type State = Extract<GuestPage, { page: 'stop' }>['state']

/**
 * Whoever got a letter with a photo stops such letters to the mailbox, and takes that back, by the link of any of them.
 * A link that is none of ours is known by itself: nothing is asked of the database for it.
 */
export function stops(
  serve: Serve,
  { db, addresses, guest, config }: Pick<Deps, 'db' | 'addresses' | 'guest' | 'config'>,
) {
  const frame = guestFrame(config.publicUrl, '/stop')

  const sendUnknown = (reply: Call['reply']): Promise<void> =>
    sendGuestPage(reply, guest, { page: { page: 'gone', why: 'stop' }, frame, status: 404 })
  const answer = async (
    reply: Call['reply'],
    secret: string,
    act: (block: Buffer) => Promise<State>,
  ): Promise<void> => {
    const block = addresses.blockBy(secret)
    if (!block) return sendUnknown(reply)
    const state = await act(block)
    const actions = { ask: `/stop/${secret}`, stopped: `/stop/${secret}/undo`, allowed: null }
    return sendGuestPage(reply, guest, { page: { page: 'stop', state, action: actions[state] }, frame })
  }
  const change = async (block: Buffer, how: typeof addBlock): Promise<void> => {
    await countCall(db, 'stops', block.toString('base64url'))
    await how(db, block)
  }

  for (const page of [stopPage, allowPage]) {
    serve(page, async ({ params }, { reply }) => {
      await answer(reply, params.secret, async (block) => ((await isBlocked(db, block)) ? 'stopped' : 'ask'))
      return undefined
    })
  }
  serve(stopUnknown, async (_, { reply }) => {
    await sendUnknown(reply)
    return undefined
  })

  serve(stopPhotos, async ({ params }, { reply }) => {
    await answer(reply, params.secret, async (block) => {
      await change(block, addBlock)
      return 'stopped'
    })
    return undefined
  })

  serve(allowPhotos, async ({ params }, { reply }) => {
    await answer(reply, params.secret, async (block) => {
      await change(block, dropBlock)
      return 'allowed'
    })
    return undefined
  })
}
