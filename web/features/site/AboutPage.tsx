import type { SiteInfo } from '@keepsnap/contract/site.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { BigScreenArt, PhoneArt, Tile } from './tiles.tsx'
import { useApi, useSampleCodeUrl, useSessionState } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import { siteInfoQuery } from './site-info.ts'
import { about } from '../../messages/en/site.ts'
import { samples, states } from '../../messages/en/frame.ts'
import dance from '../../pictures/dance-720.webp'
import table from '../../pictures/table-1200.webp'
import tableSmall from '../../pictures/table-720.webp'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Print } from '../../ui/Print.tsx'
import { QueryView, Skeleton } from '../../ui/QueryView.tsx'
import './home.css'
import './about.css'

/** What the product is for, how it works, and who runs this site. */
export function AboutPage() {
  const text = useText({ about })
  usePageTitle(text.title)
  return (
    <>
      <section className="wrap about__top">
        <PageHeading>{text.heading}</PageHeading>
        <p className="lead">{text.lead}</p>
      </section>
      <Picture />
      <section className="wrap about__row" aria-labelledby="mission">
        <h2 id="mission">{text.mission.heading}</h2>
        <div className="about__text">
          {text.mission.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </section>
      <HowItWorks />
      <section className="wrap about__row" aria-labelledby="team">
        <h2 id="team">{text.team.heading}</h2>
        <div>
          <Team />
          <p className="small muted about__open">{text.team.open}</p>
        </div>
      </section>
      <Ending />
    </>
  )
}

/** A sample picture with its own code. */
function Picture() {
  const text = useText({ about }).print
  const descriptions = useText({ samples })
  const codeUrl = useSampleCodeUrl()('table')
  return (
    <div className="wrap">
      <Print
        className="about__print"
        ratio={21 / 9}
        photo={
          <img
            src={table}
            srcSet={`${tableSmall} 720w, ${table} 1200w`}
            sizes="(min-width: 80rem) 76rem, 92vw"
            width="1200"
            height="800"
            alt={descriptions.table}
          />
        }
        line={text.line}
        code={{ src: codeUrl, alt: text.code }}
      />
    </div>
  )
}

function HowItWorks() {
  const { how } = useText({ about })
  const { take, show, keep } = how
  return (
    <section className="wrap about__how" aria-labelledby="how">
      <h2 id="how" className="section-heading">
        {how.heading}
      </h2>
      <ol className="tiles">
        <Tile
          {...take}
          art={<img className="about__photo" src={dance} width="720" height="480" alt="" loading="lazy" />}
        />
        <Tile {...show} art={<BigScreenArt line={how.scan} />} />
        <Tile {...keep} art={<PhoneArt src={dance} button={how.save} />} />
      </ol>
    </section>
  )
}

/** Who runs this site, as the settings say. */
function Team() {
  const text = useText({ about }).team
  const { tryAgain } = useText({ states })
  const query = useQuery(siteInfoQuery(useApi()))
  return (
    <QueryView
      query={query}
      loading={
        <div className="about__team" aria-hidden="true">
          <div>
            <Skeleton width="9ch" height="0.9em" />
            <Skeleton width="20ch" />
            <Skeleton width="28ch" height="0.9em" />
          </div>
        </div>
      }
      failed={text.failed}
      renderFailed={({ sentence, busy, onRetry }) => (
        <div className="about__failed" role="alert">
          <p>{sentence}</p>
          <Button busy={busy} onClick={onRetry}>
            {tryAgain}
          </Button>
        </div>
      )}
    >
      {(info) => <TeamList {...info} />}
    </QueryView>
  )
}

function TeamList({ operator, team }: SiteInfo) {
  const text = useText({ about }).team
  return (
    <>
      <dl className="about__team">
        <div>
          <dt className="small muted">{text.operator}</dt>
          <dd translate="no">
            <b>{operator.name}</b>
            <span className="small">{operator.address}</span>
            <span className="small">{operator.vat}</span>
            <a className="link small" href={`mailto:${operator.email}`}>
              <EmailAddress email={operator.email} />
            </a>
          </dd>
        </div>
        {team.map(({ role, name }) => (
          <div key={`${role} ${name}`}>
            <dt className="small muted" dir="auto">
              {role}
            </dt>
            <dd translate="no" dir="auto">
              <b>{name}</b>
            </dd>
          </div>
        ))}
      </dl>
      {operator.is_sample && <p className="small muted about__sample">{text.sample}</p>}
    </>
  )
}

function Ending() {
  const { end } = useText({ about })
  const { token } = useSessionState()
  return (
    <section className="wrap about__end" aria-labelledby="about-end">
      <h2 id="about-end" className="section-heading">
        {end.heading}
      </h2>
      <div className="row">
        <Link
          className={buttonClass({ tone: 'primary', large: true })}
          to={token === null ? paths.register : paths.upload}
        >
          {token === null ? end.start : end.upload}
        </Link>
        <Link className={buttonClass({ tone: 'ghost', large: true })} to={paths.support}>
          {end.support}
        </Link>
      </div>
    </section>
  )
}
