import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventCodeImage } from '@keepsnap/contract/event-guests.ts'
import { useApi, useCurrentUser, useMediaUrl } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { eventOnScreen } from '../../messages/en/event-guests.ts'
import { oneEventQuery } from './codes.ts'

/** The code of the current event in a corner of Latest, where its owner wants it and it leads guests to something. */
export function EventCodeOnScreen() {
  const text = useText({ eventOnScreen })
  const media = useMediaUrl()
  const api = useApi()
  const id = useCurrentUser().user?.current_event_id ?? null
  const { data: event } = useQuery({ ...oneEventQuery(api, id ?? ''), enabled: id !== null })
  const [loaded, setLoaded] = useState<string | null>(null)
  const isOn = event?.code_on_latest && (event.gallery !== 'off' || event.guest_photos !== 'off')
  if (!isOn || event.id !== id || event.state === 'closed' || event.deleted_at) return null
  const source = media(eventCodeImage(event.url))
  // The screen gets it with its first photo: no empty card until it has come.
  return (
    <div className="latest__event" data-loaded={source === loaded || undefined}>
      <img src={source ?? undefined} width="41" height="41" alt={text.alt} onLoad={() => setLoaded(source)} />
      <div>
        <b>{event.gallery === 'off' ? text.add : text.all}</b>
        <span translate="no">{event.name}</span>
      </div>
    </div>
  )
}
