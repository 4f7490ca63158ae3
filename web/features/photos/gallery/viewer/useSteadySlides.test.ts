import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { samplePhoto } from '../../../../test/sample-photos.ts'
import { slideOf } from './photo-slide.ts'
import { useSteadySlides } from './useSteadySlides.ts'

const slidesOf = (...numbers: number[]) =>
  numbers.map((number) => slideOf(samplePhoto(number), { alt: ({ id }) => id, media: (url) => url }))

test('slides stay as they are while a photo is zoomed in, until the zoom ends or another photo is shown', () => {
  const before = { slides: slidesOf(2, 1), index: 0 }
  const { result, rerender } = renderHook(useSteadySlides, { initialProps: before })
  expect(result.current).toMatchObject(before)
  act(() => result.current.onZoom(2))
  const withNewPhoto = { slides: slidesOf(3, 2, 1), index: 1 }
  rerender(withNewPhoto)
  expect(result.current).toMatchObject(before)
  act(() => result.current.onZoom(3))
  expect(result.current).toMatchObject(before)
  act(() => result.current.onZoom(1))
  expect(result.current).toMatchObject(withNewPhoto)

  act(() => result.current.onZoom(2))
  rerender({ ...withNewPhoto, index: 2 })
  expect(result.current.index).toBe(2)
})
