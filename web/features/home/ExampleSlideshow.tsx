import { Pause, Play } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import under from '../../pictures/balloons-320.webp'
import { Button } from '../../ui/Button.tsx'
import { Print } from '../../ui/Print.tsx'
import { exampleSizes, exampleWidths } from './examples.ts'
import { useSlideshow } from './useSlideshow.ts'
import { home } from '../../messages/en/home.ts'

/** What a guest sees at the party: a print with its code, the next one a few seconds later. */
export function ExampleSlideshow() {
  const { example, leaving, paused, setPaused } = useSlideshow()
  const text = useText({ home })
  const photo = (
    <img
      srcSet={exampleWidths(example)}
      sizes={exampleSizes}
      src={example.large}
      width="1200"
      height="800"
      alt={text.examples[example.name]}
      fetchPriority="high"
    />
  )
  return (
    <div className="hero__pile">
      <div className="hero__under" aria-hidden="true">
        <img src={under} width="320" height="400" alt="" />
      </div>
      <Print
        className={leaving ? 'print--hero is-changing' : 'print--hero'}
        photo={photo}
        line={text.scanLine}
        meta={example.meta}
        code={{ src: example.code, alt: text.codeAlt }}
      />
      <Button
        tone="ghost"
        icon
        className="hero__pause"
        aria-label={paused ? text.playExample : text.pauseExample}
        onClick={() => setPaused(!paused)}
      >
        {paused ? <Play className="i" /> : <Pause className="i" />}
      </Button>
    </div>
  )
}
