// A picture of a workflow that the server drew: to scroll, to drag and to enlarge.

import type {JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

import {getText, Problem, told} from '../lib/api';
import {picture} from '../lib/safe';
import {Failure} from './bits';

const step = 1.25;
const legible = 0.85;  // pixels of a unit of the picture

export function Graph({path, version, label}: {path: string; version: number; label: string}): JSX.Element {
  const [svg, setSvg] = useState<SVGSVGElement>();
  const [error, setError] = useState('');
  const [scale, setScale] = useState<number>();  // nothing: as wide as there is room, where that can be read; 0: as wide
  const there = useRef<HTMLDivElement>(null);
  const moved = useRef(false);  // somebody has looked elsewhere

  // One is asked for at a time, and one more where it has changed meanwhile: one that takes long is shown nevertheless.
  const look = useRef(() => {});
  useEffect(() => {
    const over = new AbortController();
    let asking = false;
    let again = false;
    look.current = () => {
      again = asking;
      if (asking) return;
      asking = true;
      getText(path, over.signal).then((text) => {
        const drawn = picture(text);
        setSvg(drawn);
        setError(drawn ? '' : 'The server sent something that is no picture.');
      }, (failure) => {
        if (!over.signal.aborted) setError(failure instanceof Problem || !there.current?.querySelector('svg') ? told(failure) : '');
      }).finally(() => {
        asking = false;
        if (again && !over.signal.aborted) look.current();
      });
    };
    return () => over.abort();
  }, [path]);
  useEffect(() => look.current(), [path, version]);
  useEffect(() => {
    const frame = there.current;
    if (!frame || !svg) return;
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
    const natural = svg.viewBox.baseVal.width || 800;
    const least = scale === undefined ? `${natural * legible}px` : '0px';
    const width = scale ? `${natural * scale}px` : `max(${least}, min(100%, ${natural * 1.33}px))`;
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    svg.style.width = width;
    svg.style.height = 'auto';
    if (svg.parentNode !== frame) frame.replaceChildren(svg);
    if (!moved.current) showActive(frame, svg);
  }, [svg, scale, label]);

  const zoom = (factor: number): void => {
    const frame = there.current;
    if (!frame || !svg) return;
    const natural = svg.viewBox.baseVal.width || 800;
    const now = scale || svg.getBoundingClientRect().width / natural;
    setScale(Math.min(6, Math.max(0.1, now * factor)));
  };
  const drag = (down: PointerEvent): void => {
    const frame = there.current;
    moved.current = true;
    if (!frame || down.button !== 0 || down.pointerType === 'touch') return;
    const {scrollLeft, scrollTop} = frame;
    const move = (event: PointerEvent): void => {
      frame.scrollLeft = scrollLeft + down.clientX - event.clientX;
      frame.scrollTop = scrollTop + down.clientY - event.clientY;
    };
    const up = (): void => {
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', up);
    };
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', up);
  };

  return (
    <div class="graph">
      {error && <Failure error={error} />}
      <p class="tools">
        <button type="button" class="quiet" aria-label="Smaller" onClick={() => zoom(1 / step)}>−</button>
        <button type="button" class="quiet" aria-label="Larger" onClick={() => zoom(step)}>+</button>
        <button type="button" class="quiet" onClick={() => setScale(0)}>Fit</button>
      </p>
      <div class="frame" ref={there} tabIndex={0} role="group" aria-label={`${label}; scrolls`} onPointerDown={drag}
        onWheel={() => { moved.current = true; }}
        onKeyDown={(key) => {
          moved.current = true;
          if (key.key === '+' || key.key === '=') zoom(step);
          if (key.key === '-') zoom(1 / step);
          if (key.key === '0') setScale(0);
        }} />
    </div>
  );
}

// Where the run is comes into the middle, or the beginning of that where it is larger; where it is nowhere, the picture
// begins at its top left.
function showActive(frame: HTMLElement, svg: SVGSVGElement): void {
  const active = svg.querySelector('.node.active') ?? svg.querySelector('.active');
  if (!active) {
    frame.scrollTo(0, 0);
    return;
  }
  const box = active.getBoundingClientRect();
  const around = frame.getBoundingClientRect();
  frame.scrollLeft += box.left - around.left - Math.max(0, around.width - box.width) / 2;
  frame.scrollTop += box.top - around.top - Math.max(0, around.height - box.height) / 2;
}
