extension Script {
  /// A function that is true for an element of which a user can see a part, maybe after scrolling.
  ///
  /// An element counts by its box, and by its content where that is larger. What `overflow`, `clip`,
  /// `clip-path` and the edges of the page cut away is not seen.
  static let displayed = """
    const displayed = (() => {
      const cut = (a, b) => ({
        left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
        right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom)
      })
      const isLeft = a => a.right > a.left && a.bottom > a.top
      const none = {left: 0, top: 0, right: 0, bottom: 0}
      const outer = e => e.assignedSlot ?? e.parentElement ?? e.getRootNode().host
      const visible = {opacityProperty: true, visibilityProperty: true}
      const length = (text, whole) => parseFloat(text) * (text.endsWith('%') ? whole / 100 : 1)

      // What is left of a part in an element with `clip` or `clip-path`, in its basic shapes.
      const clipped = (a, e, style) => {
        const box = e.getBoundingClientRect(), {left, top, width, height} = box
        if (/^(absolute|fixed)$/.test(style.position) && style.clip.startsWith('rect(')) {
          const [t, r, b, l] = style.clip.slice(5, -1).split(/[ ,]+/).map(parseFloat)
          // The keyword auto is no number, and means the edge of the box.
          a = cut(a, {
            left: left + (l || 0), top: top + (t || 0),
            right: isNaN(r) ? box.right : left + r, bottom: isNaN(b) ? box.bottom : top + b
          })
        }
        const [, shape, list] =
          style.clipPath.match(/^(inset|circle|ellipse|polygon)\\((.*?)(?: (?:round|at) .*)?\\)$/) ?? []
        if (shape === 'inset') {
          const [t, r = t, b = t, l = r] = list.split(' ')
          const size = (text, whole) => length(text, whole) || 0
          return cut(a, {
            left: left + size(l, width), top: top + size(t, height),
            right: box.right - size(r, width), bottom: box.bottom - size(b, height)
          })
        }
        if (shape === 'polygon') {
          // Without the rule of filling before them.
          const points = list.split(',').map(p => p.trim().split(' ')).filter(p => p.length > 1)
          const [xs, ys] = [points.map(p => length(p[0], width)), points.map(p => length(p[1], height))]
          if (points.some(p => p.length > 2) || [...xs, ...ys].some(isNaN)) return a
          return cut(a, {
            left: left + Math.min(...xs), top: top + Math.min(...ys),
            right: left + Math.max(...xs), bottom: top + Math.max(...ys)
          })
        }
        return shape && list.split(' ').some(radius => parseFloat(radius) === 0) ? none : a
      }

      // What is left of a part in the box of an element with `overflow`. Where a user can scroll
      // to the part, it is the whole inside.
      const framed = (a, e, style) => {
        if (style.display === 'inline' && e.localName !== 'svg') return a
        if (/^(contents|table-(row|column|header|footer).*)$/.test(style.display) || e.ownerSVGElement) return a
        const box = e.getBoundingClientRect()
        const axis = (overflow, near, far, start, scale, size, place, range, isReversed) => {
          if (overflow === 'visible') return [near, far]
          const end = start + size * scale
          if (!/^(auto|scroll)$/.test(overflow)) return [Math.max(near, start), Math.min(far, end)]
          const first = start - (place + (isReversed ? range : 0)) * scale
          return far > first && near < end + (range - place) * scale ? [start, end] : [0, 0]
        }
        const [wide, high] = [box.width / e.offsetWidth || 1, box.height / e.offsetHeight || 1]
        const isReversed = style.direction === 'rtl' || style.flexDirection.endsWith('reverse')
        const [left, right] = axis(
          style.overflowX, a.left, a.right, box.left + e.clientLeft * wide, wide, e.clientWidth,
          e.scrollLeft, e.scrollWidth - e.clientWidth, isReversed)
        const [top, bottom] = axis(
          style.overflowY, a.top, a.bottom, box.top + e.clientTop * high, high, e.clientHeight,
          e.scrollTop, e.scrollHeight - e.clientHeight, isReversed)
        return {left, right, top, bottom}
      }

      const holdsFixed = style =>
        [style.transform, style.translate, style.scale, style.rotate, style.perspective, style.filter]
          .some(value => value !== 'none')
        || /paint|layout|strict|content/.test(style.contain) || /transform|perspective|filter/.test(style.willChange)
      const root = document.documentElement
      const isOfPage = e =>
        e === root || (e === document.body && getComputedStyle(root).overflow === 'visible')

      // What is left of a part of an element: of its own box, or of its content.
      const remains = (a, e, isOwn) => {
        let position = 'static', isInside = !isOwn
        for (let o = e; o && isLeft(a); o = outer(o)) {
          const style = getComputedStyle(o)
          a = clipped(a, o, style)
          const isHeld =
            position === 'fixed' ? holdsFixed(style)
            : position === 'absolute' ? style.position !== 'static' || holdsFixed(style) : true
          if (isInside && !isHeld) continue
          if (isInside && !isOfPage(o)) a = framed(a, o, style)
          isInside = true
          position = style.position
          if (o.matches(':modal, :popover-open, :fullscreen')) {
            position = 'fixed'
            break
          }
        }
        const page = document.scrollingElement ?? root
        if (position === 'fixed') return cut(a, {left: 0, top: 0, right: page.clientWidth, bottom: page.clientHeight})
        // Nobody scrolls to the left of a page, or above it.
        const isLeftwards = getComputedStyle(root).direction === 'rtl'
        return cut(a, {
          left: isLeftwards ? -Infinity : -page.scrollLeft, top: -page.scrollTop,
          right: isLeftwards ? page.clientWidth - page.scrollLeft : Infinity, bottom: Infinity
        })
      }

      const isSeen = (rects, e, isOwn) => Array.from(rects).some(r => isLeft(remains(r, e, isOwn)))
      const displayed = e => {
        let box = e
        while (box && getComputedStyle(box).display === 'contents') box = outer(box)
        if (!box?.checkVisibility(visible)) return false
        if (isSeen(e.getClientRects(), e, true)) return true
        if (getComputedStyle(e).contentVisibility === 'hidden') return false
        const slotted = e.localName === 'slot' ? e.assignedNodes({flatten: true}) : []
        const inside = slotted.length ? slotted : (e.shadowRoot ?? e).childNodes
        return Array.from(inside).some(node => {
          if (node.nodeType === 1) return displayed(node)
          if (node.nodeType !== 3 || !node.data.trim()) return false
          const range = document.createRange()
          range.selectNodeContents(node)
          return isSeen(range.getClientRects(), e, false)
        })
      }
      return displayed
    })()
    """
}
