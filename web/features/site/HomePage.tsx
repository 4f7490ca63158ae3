import { Monitor, Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import danceLarge from '../../pictures/dance-1200.webp'
import danceSmall from '../../pictures/dance-720.webp'
import tableLarge from '../../pictures/table-1200.webp'
import tableSmall from '../../pictures/table-720.webp'
import topperLarge from '../../pictures/topper-1200.webp'
import bride from '../../pictures/topper-720.webp'
import { useText } from '../../lib/i18n.tsx'
import { lazyComponent, LazyPart } from '../../lib/lazy-component.tsx'
import { paths } from '../../lib/paths.ts'
import { useCurrentUser, useSampleCodeUrl } from '../../lib/app-services.tsx'
import { home } from '../../messages/en/site.ts'
import { samples } from '../../messages/en/frame.ts'
import photoBehind from '../../pictures/balloons-320.webp'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { Print } from '../../ui/Print.tsx'
import { BigScreenArt, BoothArt, BrandArt, GalleryArt, PhoneArt, Tile } from './tiles.tsx'
import './home.css'

// A chunk of its own: it is below what the first screen shows.
const HomePlans = lazyComponent('HomePlans', () => import('../plans/PricingPlans.tsx'))

export function HomePage() {
  const current = useCurrentUser()
  const { title } = useText({ home })
  usePageTitle(title)
  return (
    <>
      <Hero user={current.state === 'signed-out' ? undefined : current.user} />
      <Tiles />
      <section className="wrap plans-section" id="pricing" aria-labelledby="plans-heading">
        <LazyPart>
          <HomePlans headingId="plans-heading" />
        </LazyPart>
      </section>
    </>
  )
}

// A chunk of its own: visitors do not need it.
const Greeting = lazyComponent('Greeting', () => import('./Greeting.tsx'))

/** `user` is null while it is being fetched, undefined for a visitor. */
function Hero({ user }: { user: User | null | undefined }) {
  return (
    <section className="wrap hero">
      {user === undefined ? (
        <Invitation />
      ) : (
        <LazyPart fallback={<div className="hero__text hero__text--waiting" />}>
          <Greeting user={user} />
        </LazyPart>
      )}
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
        <Link className={buttonClass({ tone: 'ghost', large: true })} to={paths.demoScreen}>
          <Monitor className="icon" />
          {text.seeMore}
        </Link>
      </div>
    </div>
  )
}

/** The example photos of the home page. */
const examples = [
  { name: 'table', small: tableSmall, large: tableLarge, meta: 'KS-0412 · 22:41' },
  { name: 'topper', small: bride, large: topperLarge, meta: 'KS-0413 · 22:43' },
  { name: 'dance', small: danceSmall, large: danceLarge, meta: 'KS-0414 · 22:44' },
] as const
type Example = (typeof examples)[number]

const exampleSrcSet = ({ small, large }: Example) => `${small} 720w, ${large} 1200w`
/** The width of the photo on the page, from which the browser chooses one of the two files. */
const exampleSizes = '(min-width: 62rem) 38rem, min(40rem, 92vw)'

/** An example of what guests see: a photo with its QR code, and the next one some seconds later. */
function ExampleSlideshow() {
  const { example, codeUrl, isFadingOut, paused, setPaused } = useExampleSlideshow()
  const text = useText({ home })
  const descriptions = useText({ samples })
  const photo = (
    <img
      srcSet={exampleSrcSet(example)}
      sizes={exampleSizes}
      src={example.large}
      width="1200"
      height="800"
      alt={descriptions[example.name]}
      fetchPriority="high"
    />
  )
  return (
    <div className="hero__example">
      <div className="hero__photo-behind" aria-hidden="true">
        <img src={photoBehind} width="320" height="400" alt="" />
      </div>
      <Print
        className={isFadingOut ? 'print--hero is-changing' : 'print--hero'}
        photo={photo}
        line={text.scanLine}
        meta={example.meta}
        code={{ src: codeUrl, alt: text.codeAlt }}
      />
      <Button
        tone="ghost"
        icon
        className="hero__pause"
        aria-label={paused ? text.playExample : text.pauseExample}
        onClick={() => setPaused(!paused)}
      >
        {paused ? <Play className="icon" /> : <Pause className="icon" />}
      </Button>
    </div>
  )
}

const slideIntervalMs = 6_000
/** Duration of the fade-out; the same as --duration-mid. */
const fadeMs = 180

/** The server, which renders the first example, has no window. */
const prefersReducedMotion = (): boolean =>
  typeof window !== 'undefined' && window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Shows the examples one after the other, each with the URL of its QR code; photo and code change together, after both
 * have decoded. Pauses in a hidden tab, and starts paused for users who prefer reduced motion.
 */
function useExampleSlideshow() {
  const codeUrlOf = useSampleCodeUrl()
  const [index, setIndex] = useState(0)
  const [isFadingOut, setIsFadingOut] = useState(false)
  const [paused, setPaused] = useState(prefersReducedMotion)

  useEffect(() => {
    if (paused) return
    let cancelled = false
    let slideTimer = setTimeout(showNext, slideIntervalMs)
    async function showNext() {
      const next = (index + 1) % examples.length
      const example = examples[next]! // the index is below the length
      const ready = !document.hidden && (await isReady(example, codeUrlOf(example.name)))
      if (cancelled) return
      if (!ready) {
        slideTimer = setTimeout(showNext, slideIntervalMs)
        return
      }
      setIsFadingOut(true)
      slideTimer = setTimeout(() => {
        setIndex(next)
        setIsFadingOut(false)
      }, fadeMs)
    }
    return () => {
      cancelled = true
      clearTimeout(slideTimer)
    }
  }, [index, paused, codeUrlOf])

  const example = examples[index] ?? examples[0]
  return { example, codeUrl: codeUrlOf(example.name), isFadingOut: isFadingOut && !paused, paused, setPaused }
}

async function isReady(example: Example, codeUrl: string): Promise<boolean> {
  const photo = new Image()
  photo.sizes = exampleSizes
  photo.srcset = exampleSrcSet(example)
  const code = new Image()
  code.src = codeUrl
  try {
    await Promise.all([photo.decode(), code.decode()])
    return true
  } catch {
    return false
  }
}

/** The features of the product, each with an illustration. */
function Tiles() {
  const text = useText({ home })
  const { bigScreen, pocket, mail, brand, gallery, booth } = text.tiles
  return (
    <section className="wrap tiles-section" aria-labelledby="tiles-heading">
      <h2 id="tiles-heading" className="section-heading">
        {text.tilesHeading}
      </h2>
      <ul className="tiles">
        <Tile {...bigScreen} art={<BigScreenArt line={bigScreen.line} />} />
        <Tile {...pocket} art={<PhoneArt src={bride} button={pocket.button} />} />
        <Tile
          {...mail}
          art={
            <div className="tile-email">
              <span className="label">{mail.label}</span>
              <span className="input" translate="no">
                lotte@example.com
              </span>
              <span className="btn btn--primary btn--block">{mail.button}</span>
            </div>
          }
        />
        <Tile {...brand} art={<BrandArt />} />
        <Tile {...gallery} art={<GalleryArt />} />
        <Tile {...booth} art={<BoothArt />} />
      </ul>
    </section>
  )
}
