import { Pause, Play } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import photoBehind from '../../pictures/balloons-320.webp'
import { Button } from '../../ui/Button.tsx'
import { Print } from '../../ui/Print.tsx'
import { exampleSizes, exampleSrcSet } from './examples.ts'
import { useExampleSlideshow } from './useExampleSlideshow.ts'
import { home } from '../../messages/en/home.ts'
import { samples } from '../../messages/en/samples.ts'

/** An example of what guests see: a photo with its QR code, and the next one some seconds later. */
export function ExampleSlideshow() {
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
