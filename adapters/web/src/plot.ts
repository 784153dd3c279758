// Small plots in SVG, of numbers that are also there as a table or in their captions.

/** An element of SVG with attributes and what is in it. */
function svg(tag: string, attributes: Record<string, string | number>, inside: (Node | string)[] = []): SVGElement {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value))
  e.append(...inside)
  return e
}

/** A number in a few figures. */
export const figures = (x: number): string => (Math.abs(x) >= 100 || Number.isInteger(x) ? x.toFixed(0) : x.toFixed(2))

/** A plot with its caption. */
function figure(caption: string, width: number, height: number, parts: SVGElement[], label: string): HTMLElement {
  const e = document.createElement('figure')
  const text = document.createElement('figcaption')
  text.append(caption)
  e.append(svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, parts), text)
  return e
}

/** Counts as bars, and over each the count that is expected, as a line. */
export function bars(caption: string, names: string[], observed: number[], expected: number[]): HTMLElement {
  const [width, height, foot] = [280, 150, 16]
  const highest = Math.max(1, ...observed, ...expected)
  const step = width / observed.length
  const y = (count: number): number => (height - foot) * (1 - count / highest) + 1
  const parts = observed.flatMap((count, i) => {
    const x = i * step
    const line = y(expected[i] ?? 0)
    const name = names[i] ?? ''
    return [
      svg('rect', { class: 'bar', x: x + step * 0.1, y: y(count), width: step * 0.8, height: Math.max(0, height - foot - y(count)) }, [
        svg('title', {}, [`${name}: ${count}, expected ${figures(expected[i] ?? 0)}`]),
      ]),
      svg('line', { class: 'expected', x1: x, x2: x + step, y1: line, y2: line }),
      ...(name.length * 6.5 <= step ? [svg('text', { x: x + step / 2, y: height - 4, 'text-anchor': 'middle' }, [name])] : []),
    ]
  })
  const label = `${caption}. ${names.map((n, i) => `${n}: ${observed[i]} where ${figures(expected[i] ?? 0)} are expected`).join('; ')}`
  return figure(caption, width, height, parts, observed.length <= 20 ? label : caption)
}

/** The highest wealth of each gambler, as bars to the right of 1 in powers of ten, and the two limits. */
export function wealths(caption: string, rows: { name: string; now: number; highest: number }[], limits: [number, number]): HTMLElement {
  const [width, line, head, names] = [720, 16, 18, 300]
  const height = head + line * rows.length
  const most = Math.max(limits[1] * 1.1, ...rows.map((r) => r.highest))
  const x = (power: number): number => names + ((width - names - 10) * power) / most
  const parts = rows.flatMap((r, i) => {
    const y = head + i * line
    return [
      svg('text', { x: names - 6, y: y + 12, 'text-anchor': 'end' }, [r.name]),
      svg('rect', { class: r.highest >= limits[0] ? 'high' : 'bar', x: names, y: y + 3, width: Math.max(1, x(r.highest) - names), height: line - 6 }, [
        svg('title', {}, [`${r.name}: now 10^${r.now.toFixed(2)}, highest 10^${r.highest.toFixed(2)}`]),
      ]),
    ]
  })
  for (const power of [0, 2, 4, 6]) {
    parts.push(svg('line', { class: 'axis', x1: x(power), x2: x(power), y1: head - 2, y2: height }))
    parts.push(svg('text', { x: x(power), y: 11, 'text-anchor': 'middle' }, [(10 ** power).toLocaleString('en')]))
  }
  for (const power of limits) parts.push(svg('line', { class: 'limit', x1: x(power), x2: x(power), y1: head - 4, y2: height }))
  return figure(caption, width, height, parts, caption)
}

/** The wealth of every gambler from week to week, in powers of ten. */
export function courses(caption: string, weeks: string[], series: number[][], limit: number): HTMLElement {
  const [width, height, left, foot] = [720, 200, 40, 18]
  const highest = limit * 1.1
  const lowest = Math.min(-2, ...series.map((s) => Math.max(-6, Math.min(...s))))
  const x = (i: number): number => left + ((width - left - 10) * i) / Math.max(1, weeks.length - 1)
  const y = (power: number): number => (height - foot) * (1 - (Math.min(highest, Math.max(lowest, power)) - lowest) / (highest - lowest))
  const parts = series.map((s) => svg('polyline', { class: 'course', points: s.map((power, i) => `${x(i)},${y(power).toFixed(1)}`).join(' ') }))
  for (const power of [0, limit]) {
    parts.push(svg('line', { class: power === 0 ? 'axis' : 'limit', x1: left, x2: width, y1: y(power), y2: y(power) }))
    parts.push(svg('text', { x: left - 4, y: y(power) + 4, 'text-anchor': 'end' }, [power === 0 ? '1' : `10^${power.toFixed(1)}`]))
  }
  parts.push(svg('text', { x: left, y: height - 4 }, [weeks[0] ?? '']), svg('text', { x: width, y: height - 4, 'text-anchor': 'end' }, [weeks.at(-1) ?? '']))
  return figure(caption, width, height, parts, caption)
}
