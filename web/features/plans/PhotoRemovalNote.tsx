import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscriptionSection } from '../../lib/paths.ts'
import { keptPhotos } from '../../messages/en/kept-photos.ts'
import { Note } from '../../ui/Note.tsx'

/** On pages with photos: says that some will be or were removed, with a link to the details in Settings. */
export function PhotoRemovalNote({ status: { removal, removed_photos: removed } }: { status: SubscriptionStatus }) {
  const text = useText({ keptPhotos })
  const format = useFormat()
  return (
    <Note tone="warn">
      {removal && <b>{text.removal(removal.photos, format.count(removal.photos), format.date(removal.at))} </b>}
      {removed && <b>{text.removed(removed.photos, format.count(removed.photos))} </b>}
      <Link to={subscriptionSection}>{text.settings}</Link>
    </Note>
  )
}
