import { useEffect, useState, type ReactNode } from 'react'
import type { AppState } from './app.tsx'
import { LiveContext } from './features/live/live-context.ts'
import { UploadsContext } from './features/photos/uploads/uploads-context.ts'
import { useCurrentUser } from './lib/current-user.ts'
import { useSessionState } from './lib/parts.tsx'
import type { Room } from './room.ts'

/** Gives the pages the live channel and the uploads, from the moment that somebody is signed in. */
export function RoomProvider({ state, children }: { state: AppState; children: ReactNode }) {
  const [room, setRoom] = useState<Room | null>(null)
  const signedIn = useSessionState().token !== null
  useEffect(() => {
    if (!signedIn || room) return
    let gone = false
    // A part that does not load reloads the page; main.tsx.
    void import('./room.ts').then(({ createRoom }) => !gone && setRoom(createRoom(state, window)))
    return () => {
      gone = true
    }
  }, [signedIn, room, state])
  useOwner(room)
  return (
    <LiveContext value={room?.live ?? null}>
      <UploadsContext value={room?.uploads ?? null}>{children}</UploadsContext>
    </LiveContext>
  )
}

/** Tells the room whose it is. */
function useOwner(room: Room | null): void {
  const { state, user } = useCurrentUser()
  const id = user?.id
  const tier = user?.subscription_tier
  useEffect(() => {
    if (!room) return
    if (id !== undefined && tier !== undefined) {
      room.live.start(id)
      room.uploads.belongTo({ id, tier })
    } else if (state === 'out') {
      room.live.stop()
      room.uploads.belongTo(null)
    }
  }, [room, state, id, tier])
  useEffect(() => () => room?.live.stop(), [room])
}
