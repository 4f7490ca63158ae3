import type { User } from '@keepsnap/contract/accounts.ts'
import { Monitor, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { home } from '../../messages/en/site.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Skeleton } from '../../ui/QueryView.tsx'

/** Greets the signed-in user, and says what to do next. `user` is null while it is being fetched. */
export function Greeting({ user }: { user: User | null }) {
  const text = useText({ home })
  const welcome = user?.first_visit ? text.welcomeFirst : text.welcomeBack
  return (
    <div className={`hero__text hero__text--known ${user === null ? 'hero__text--waiting' : ''}`}>
      <PageHeading>
        {user === null ? (
          <>
            <span>{text.welcome}</span>{' '}
            <span className="hero__name">
              <Skeleton width="7ch" height="0.9em" />
            </span>
          </>
        ) : (
          <>
            <span>{welcome}</span> <Username name={user.username} />
          </>
        )}
      </PageHeading>
      {user?.first_visit ? <NextStep hasPhotos={user.photo_count > 0} /> : <UsualActions />}
      {user?.email_verified === false && (
        <p className="small muted hero__unconfirmed">
          {text.unconfirmed}{' '}
          <Link className="link" to={{ pathname: paths.settings, hash: 'profile' }}>
            {text.unconfirmedAction}
          </Link>
        </p>
      )}
    </div>
  )
}

/** Characters that fit on one line at the full font size. */
const maxUsernameCharsAtFullSize = 13

function Username({ name }: { name: string }) {
  const scale = Math.max(0.5, Math.min(1, maxUsernameCharsAtFullSize / name.length))
  return (
    <span className="hero__name" translate="no" style={{ fontSize: `${scale}em` }}>
      {name}
    </span>
  )
}

/** The next step after registering: upload a photo, then show it. */
function NextStep({ hasPhotos }: { hasPhotos: boolean }) {
  const text = useText({ home })
  return (
    <>
      <p className="lead">{hasPhotos ? text.firstScreenLead : text.firstPhotoLead}</p>
      <div className="row hero__actions">
        {hasPhotos && <LatestLink tone="primary" />}
        <UploadLink tone={hasPhotos ? 'ghost' : 'primary'} />
      </div>
    </>
  )
}

function UsualActions() {
  const text = useText({ home })
  return (
    <>
      <p className="lead">{text.welcomeLead}</p>
      <div className="row hero__actions">
        <UploadLink tone="primary" />
        <LatestLink tone="ghost" />
      </div>
    </>
  )
}

interface LinkProps {
  tone: 'primary' | 'ghost'
}

function UploadLink({ tone }: LinkProps) {
  const text = useText({ home })
  return (
    <Link className={buttonClass({ tone, large: true })} to={paths.upload}>
      <Upload className="icon" />
      {text.uploadPhotos}
    </Link>
  )
}

function LatestLink({ tone }: LinkProps) {
  const text = useText({ home })
  return (
    <Link className={buttonClass({ tone, large: true })} to={paths.latest}>
      <Monitor className="icon" />
      {text.openLatest}
    </Link>
  )
}
