// SPDX-License-Identifier: MIT
// Texture and surface objects: the functions of device code, each a call of the engine.

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

namespace yoke_simulator {

/// A texel of four words as the type that was asked for.
template <class T>
struct texel_of {
  static T from(const unsigned* words) { return static_cast<T>(words[0]); }
};
template <>
struct texel_of<float> {
  static float from(const unsigned* words) { return bit_cast<float>(words[0]); }
};
#define YOKE_SIMULATOR_TEXEL(name, T)                                                                                  \
  template <>                                                                                                          \
  struct texel_of<name##1> {                                                                                           \
    static name##1 from(const unsigned* words) { return {texel_of<T>::from(words)}; }                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct texel_of<name##2> {                                                                                           \
    static name##2 from(const unsigned* words) { return {texel_of<T>::from(words), texel_of<T>::from(words + 1)}; }    \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct texel_of<name##4> {                                                                                           \
    static name##4 from(const unsigned* words) {                                                                       \
      return {texel_of<T>::from(words), texel_of<T>::from(words + 1), texel_of<T>::from(words + 2),                    \
              texel_of<T>::from(words + 3)};                                                                           \
    }                                                                                                                  \
  };
YOKE_SIMULATOR_TEXEL(char, signed char)
YOKE_SIMULATOR_TEXEL(uchar, unsigned char)
YOKE_SIMULATOR_TEXEL(short, short)
YOKE_SIMULATOR_TEXEL(ushort, unsigned short)
YOKE_SIMULATOR_TEXEL(int, int)
YOKE_SIMULATOR_TEXEL(uint, unsigned)
YOKE_SIMULATOR_TEXEL(float, float)
#undef YOKE_SIMULATOR_TEXEL

template <class T>
inline T sampled(const sample_request& what, place where) {
  unsigned words[4];
  engine->sample(what, words, where);
  return texel_of<T>::from(words);
}

}  // namespace yoke_simulator

// Each function also has a form that writes to where its first argument points.
#define YOKE_SIMULATOR_SAMPLE(name, shape, parameters, ...)                                                            \
  template <class T>                                                                                                   \
  inline T name(cudaTextureObject_t texture, YOKE_SIMULATOR_LIST parameters, YOKE_SIMULATOR_PLACE) {                   \
    return ::yoke_simulator::sampled<T>({texture, ::yoke_simulator::texel_shape::shape, __VA_ARGS__}, where);          \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline void name(T* to, cudaTextureObject_t texture, YOKE_SIMULATOR_LIST parameters, YOKE_SIMULATOR_PLACE) {         \
    *to = ::yoke_simulator::sampled<T>({texture, ::yoke_simulator::texel_shape::shape, __VA_ARGS__}, where);           \
  }
#define YOKE_SIMULATOR_LIST(...) __VA_ARGS__
YOKE_SIMULATOR_SAMPLE(tex1Dfetch, linear, (int x), 0, 0, 0, x, 0)
YOKE_SIMULATOR_SAMPLE(tex1D, d1, (float x), x, 0, 0, 0, 0)
YOKE_SIMULATOR_SAMPLE(tex2D, d2, (float x, float y), x, y, 0, 0, 0)
YOKE_SIMULATOR_SAMPLE(tex3D, d3, (float x, float y, float z), x, y, z, 0, 0)
YOKE_SIMULATOR_SAMPLE(tex1DLayered, d1_layered, (float x, int layer), x, 0, 0, layer, 0)
YOKE_SIMULATOR_SAMPLE(tex2DLayered, d2_layered, (float x, float y, int layer), x, y, 0, layer, 0)
YOKE_SIMULATOR_SAMPLE(texCubemap, cube, (float x, float y, float z), x, y, z, 0, 0)
YOKE_SIMULATOR_SAMPLE(texCubemapLayered, cube_layered, (float x, float y, float z, int layer), x, y, z, layer, 0)
YOKE_SIMULATOR_SAMPLE(tex1DLod, d1, (float x, float level), x, 0, 0, 0, level)
YOKE_SIMULATOR_SAMPLE(tex2DLod, d2, (float x, float y, float level), x, y, 0, 0, level)
YOKE_SIMULATOR_SAMPLE(tex3DLod, d3, (float x, float y, float z, float level), x, y, z, 0, level)
YOKE_SIMULATOR_SAMPLE(tex1DLayeredLod, d1_layered, (float x, int layer, float level), x, 0, 0, layer, level)
YOKE_SIMULATOR_SAMPLE(tex2DLayeredLod, d2_layered, (float x, float y, int layer, float level), x, y, 0, layer, level)
YOKE_SIMULATOR_SAMPLE(texCubemapLod, cube, (float x, float y, float z, float level), x, y, z, 0, level)
YOKE_SIMULATOR_SAMPLE(tex2Dgather, gather, (float x, float y, int channel = 0), x, y, 0, channel, 0)
#undef YOKE_SIMULATOR_SAMPLE

#define YOKE_SIMULATOR_SURFACE(name, shape, parameters, ...)                                                           \
  template <class T>                                                                                                   \
  inline T name##read(cudaSurfaceObject_t surface, YOKE_SIMULATOR_LIST parameters,                                     \
                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, YOKE_SIMULATOR_PLACE) {                     \
    T value;                                                                                                           \
    ::yoke_simulator::engine->read_surface(                                                                            \
        {surface, ::yoke_simulator::texel_shape::shape, __VA_ARGS__, sizeof(T), static_cast<int>(mode)}, &value,       \
        where);                                                                                                        \
    return value;                                                                                                      \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline void name##read(T* to, cudaSurfaceObject_t surface, YOKE_SIMULATOR_LIST parameters,                           \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, YOKE_SIMULATOR_PLACE) {                  \
    ::yoke_simulator::engine->read_surface(                                                                            \
        {surface, ::yoke_simulator::texel_shape::shape, __VA_ARGS__, sizeof(T), static_cast<int>(mode)}, to, where);   \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline void name##write(T value, cudaSurfaceObject_t surface, YOKE_SIMULATOR_LIST parameters,                        \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, YOKE_SIMULATOR_PLACE) {                 \
    ::yoke_simulator::engine->write_surface(                                                                           \
        {surface, ::yoke_simulator::texel_shape::shape, __VA_ARGS__, sizeof(T), static_cast<int>(mode)}, &value,       \
        where);                                                                                                        \
  }
YOKE_SIMULATOR_SURFACE(surf1D, d1, (int x), x, 0, 0, 0)
YOKE_SIMULATOR_SURFACE(surf2D, d2, (int x, int y), x, y, 0, 0)
YOKE_SIMULATOR_SURFACE(surf3D, d3, (int x, int y, int z), x, y, z, 0)
YOKE_SIMULATOR_SURFACE(surf1DLayered, d1_layered, (int x, int layer), x, 0, 0, layer)
YOKE_SIMULATOR_SURFACE(surf2DLayered, d2_layered, (int x, int y, int layer), x, y, 0, layer)
YOKE_SIMULATOR_SURFACE(surfCubemap, cube, (int x, int y, int face), x, y, 0, face)
#undef YOKE_SIMULATOR_SURFACE
#undef YOKE_SIMULATOR_LIST
