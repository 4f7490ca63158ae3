import type { Letter, LetterFrame as Frame } from '@keepsnap/contract/guest.ts'
import { letters } from '../../messages/en/letters.ts'
import { useText } from '../../lib/i18n.tsx'
import { Cell, Grid, LetterFrame } from './LetterFrame.tsx'
import { look } from './look.ts'

interface Props {
  lang: string
  letter: Extract<Letter, { kind: 'photo' }>
  frame: Frame
  until: (iso: string) => string
}

/** The letter that brings a photo. */
export function PhotoLetter({ lang, letter, frame, until }: Props) {
  const text = useText({ letters }).photo
  const why = text.why(new URL(frame.publicUrl).host)
  return (
    <LetterFrame lang={lang} subject={text.subject} preview={text.preview} frame={frame} why={why}>
      <h1 className="ink" style={look.heading}>
        {text.heading}
      </h1>
      <p className="ink" style={look.lead}>
        {text.lead}
        {letter.attached && ` ${text.attached}`}
      </p>
      <Grid wide>
        <tr>
          <Cell style={look.buttonCell}>
            <Grid wide>
              <tr>
                <Cell className="act" align="center" style={look.act}>
                  <a className="on" href={letter.url} style={look.button}>
                    {text.button}
                  </a>
                </Cell>
              </tr>
            </Grid>
          </Cell>
        </tr>
      </Grid>
      <p className="ink2" style={look.small}>
        {text.until(until(letter.expiresAt))}
      </p>
      <p className="ink2" style={{ ...look.small, paddingTop: 12 }}>
        {text.otherwise}
      </p>
      <p className="ink2" style={look.address} translate="no">
        {letter.url}
      </p>
    </LetterFrame>
  )
}
