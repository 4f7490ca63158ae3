import { useText } from '../../lib/i18n.tsx'
import { live } from '../../messages/en/frame.ts'
import { useLiveStatus } from './live-context.ts'

/** For admins: whether the live connection is open. */
export function LiveIndicator() {
  const text = useText({ live })
  const connected = useLiveStatus() === 'connected'
  return (
    <output className="badge nav__live">
      <span className={connected ? 'dot' : 'dot dot--warn'} aria-hidden="true" />
      <span>{connected ? text.connected : text.disconnected}</span>
    </output>
  )
}
