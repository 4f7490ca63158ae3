import { Monitor, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ExampleSlideshow } from './ExampleSlideshow.tsx'
import { home } from '../../messages/en/home.ts'

/** The id of the section with the tiles. */
export const tilesId = 'how'

/** `username` is null while it is being fetched, undefined for a visitor. */
export function Hero({ username }: { username: string | null | undefined }) {
  return (
    <section className="wrap hero">
      {username === undefined ? <Invitation /> : <Greeting username={username} />}
      <ExampleSlideshow />
    </section>
  )
}

function Invitation() {
  const text = useText({ home })
  return (
    <div className="hero__text">
      <PageHeading>{text.heading}</PageHeading>
      <p className="lead">{text.lead}</p>
      <div className="row hero__actions">
        <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.register}>
          {text.getStarted}
        </Link>
        <Link className={buttonClass({ tone: 'ghost', large: true })} to={{ hash: tilesId }}>
          <Monitor className="icon" />
          {text.seeMore}
        </Link>
      </div>
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

function Greeting({ username }: { username: string | null }) {
  const text = useText({ home })
  return (
    <div className="hero__text hero__text--known">
      <PageHeading>
        {text.welcome} {username === null ? <Skeleton width="7ch" height="0.9em" /> : <Username name={username} />}
      </PageHeading>
      <p className="lead">{text.welcomeLead}</p>
      <div className="row hero__actions">
        <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.upload}>
          <Upload className="icon" />
          {text.uploadPhotos}
        </Link>
        <Link className={buttonClass({ tone: 'ghost', large: true })} to={paths.latest}>
          <Monitor className="icon" />
          {text.openLatest}
        </Link>
      </div>
    </div>
  )
}
