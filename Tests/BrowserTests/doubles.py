"""Doubles of devices that a headless browser does not have."""

#: WebXR's `immersive-ar`, as three.js needs it: a session that draws into the page's own canvas, with a viewer's pose
#: and hits that the test sets in `window.xr`.
WEBXR = """
(() => {
    const state = window.xr = {
        viewer: { position: { x: 0, y: 1.6, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
        hit: null, isTracked: true, frames: 0, session: null,
    };
    const matrix = ({ position, orientation }) => new XRRigidTransform(position, orientation);
    class Space extends EventTarget {
        constructor(kind) { super(); this.kind = kind; }
        getOffsetReferenceSpace() { return this; }
    }
    class Session extends EventTarget {
        constructor() {
            super();
            this.inputSources = [];
            this.enabledFeatures = ['local-floor', 'hit-test', 'dom-overlay'];
            this.environmentBlendMode = 'alpha-blend';
            this.renderState = { baseLayer: null, layers: [], depthNear: 0.1, depthFar: 1000 };
            this.visibilityState = 'visible';
        }
        updateRenderState(change) { Object.assign(this.renderState, change); }
        async requestReferenceSpace(kind) { return new Space(kind); }
        async requestHitTestSource() { return { cancel() {} }; }
        requestAnimationFrame(then) {
            return requestAnimationFrame(time => {
                if (this.isOver) return;
                state.frames += 1;
                then(time, new Frame(this));
            });
        }
        cancelAnimationFrame(id) { cancelAnimationFrame(id); }
        async end() { this.isOver = true; state.session = null; this.dispatchEvent(new Event('end')); }
        tap(position, orientation) {
            const event = new Event('select');
            event.frame = new Frame(this, { position, orientation });
            event.inputSource = { targetRaySpace: new Space('ray') };
            this.dispatchEvent(event);
        }
    }
    class Frame {
        constructor(session, ray) { this.session = session; this.ray = ray; }
        getViewerPose() {
            if (!state.isTracked) return null;
            const transform = matrix(state.viewer);
            const { innerWidth: width, innerHeight: height } = window;
            const f = 1 / Math.tan(Math.PI / 6), near = 0.1, far = 1000;
            const projectionMatrix = new Float32Array([
                f * height / width, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
                0, 0, 2 * far * near / (near - far), 0]);
            return { transform, views: [{ eye: 'none', projectionMatrix, transform, camera: null }] };
        }
        getPose() { return this.ray ? { transform: matrix(this.ray) } : null; }
        getHitTestResults() {
            return state.hit ? [{ getPose: () => ({ transform: matrix(state.hit) }) }] : [];
        }
    }
    Object.defineProperty(Navigator.prototype, 'xr', { configurable: true, value: {
        isSessionSupported: async kind => kind === 'immersive-ar',
        requestSession: async () => (state.session = new Session()),
        addEventListener() {}, removeEventListener() {},
    } });
    window.XRWebGLLayer = class {
        constructor() {
            this.framebuffer = null;
            this.framebufferWidth = innerWidth;
            this.framebufferHeight = innerHeight;
        }
        getViewport() { return { x: 0, y: 0, width: innerWidth, height: innerHeight }; }
        static getNativeFramebufferScaleFactor() { return 1; }
    };
    delete window.XRWebGLBinding;
    for (const kind of [WebGLRenderingContext, WebGL2RenderingContext]) {
        kind.prototype.makeXRCompatible = async () => {};
    }
})();
"""
