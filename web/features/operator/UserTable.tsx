import type { OperatorUser } from '@keepsnap/contract/operator-users.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operator-users.ts'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { planText } from './plan-text.ts'
import { UserBadge } from './UserBadge.tsx'

const columns = ['user', 'plan', 'state', 'photos', 'storage', 'since'] as const

interface Props {
  users: readonly OperatorUser[]
  /** The users of another search or page are shown until these are loaded. */
  isOutdated: boolean
  onOpen: (id: string) => void
}

/** A page of the users: a table on wide screens, cards on narrow ones. */
export function UserTable({ users, isOutdated, onOpen }: Props) {
  const text = useText({ operatorUsers })
  return (
    <div className="card operator-table operator-table--users" aria-busy={isOutdated || undefined}>
      <table className="table" aria-label={text.heading}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {text.columns[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function UserRow({ user, onOpen }: { user: OperatorUser; onOpen: (id: string) => void }) {
  const text = useText({ operatorUsers })
  const format = useFormat()
  const percent = Math.min(100, (user.storage_used_bytes / user.storage_bytes) * 100)
  return (
    <tr data-user={user.id}>
      <td>
        <button type="button" className="text-button operator-user" onClick={() => onOpen(user.id)}>
          <b translate="no">{user.username}</b>
        </button>
        {user.is_admin && <span className="badge operator-user__admin">{text.states.admin}</span>}
        <span className="tiny muted operator-line">
          <EmailAddress email={user.email} />
        </span>
      </td>
      <td>{planText(user, text, format)}</td>
      <td>
        <UserBadge user={user} />
      </td>
      <td className="tabular-numbers">
        <span className="operator-user__photos">
          {text.of(format.count(user.photos_this_month), format.count(user.photos_per_month))}
        </span>
        <span className="operator-user__photos--named">
          {text.photosOf(format.count(user.photos_this_month), format.count(user.photos_per_month))}
        </span>
      </td>
      <td className="tabular-numbers">
        <span className="operator-user__storage" translate="no">
          {format.size(user.storage_used_bytes)}
          <span className="progress-bar" aria-hidden="true">
            <i style={{ width: `${percent}%` }} />
          </span>
        </span>
      </td>
      <td className="tabular-numbers" translate="no">
        {format.date(user.created_at)}
      </td>
    </tr>
  )
}
