import type { User } from '@keepsnap/contract/accounts.ts'
import { Monitor, Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { lazyComponent, LazyPart } from '../../lib/lazy-component.tsx'
import { paths } from '../../lib/paths.ts'
import { useSampleCodeUrl } from '../../lib/sample-code-url.ts'
import { home } from '../../messages/en/home.ts'
import { samples } from '../../messages/en/samples.ts'
import photoBehind from '../../pictures/balloons-320.webp'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Print } from '../../ui/Print.tsx'
import { type Example, examples, exampleSizes, exampleSrcSet } from './examples.ts'

// A chunk of its own: visitors do not need it.
const Greeting = lazyComponent('Greeting', () => import('./Greeting.tsx'))

/** `user` is null while it is being fetched, undefined for a visitor. */
export function Hero({ user }: { user: User | null | undefined }) {
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
