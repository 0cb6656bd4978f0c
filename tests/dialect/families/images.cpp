// SPDX-License-Identifier: MIT
// Images and samplers of the dialect: every kind read with and without a sampler, and written.
#include <dialect/table.hpp>

namespace yoke_test::dialect {

namespace {

struct kind {
  const char* name;
  const char* word;      // behind YOKE_READ_IMAGE_
  const char* function;  // behind yoke_read_
  unsigned number;
  const char* at;      // the texel (2, 1, 1), as far as the kind has it
  const char* place;   // its centre
  const char* beside;  // a quarter of a texel on along x
};
// Images are 4 wide, 3 high and deep, or have 3 layers; the runner fills the texel (x, y, z) with 100 z + 10 y + x.
constexpr kind kinds[] = {
    {"images_1d", "1D", "1d", 1, "2", "2.5f", "2.75f"},
    {"images_2d", "2D", "2d", 2, "2, 1", "2.5f, 1.5f", "2.75f, 1.5f"},
    {"images_3d", "3D", "3d", 3, "2, 1, 1", "2.5f, 1.5f, 1.5f", "2.75f, 1.5f, 1.5f"},
    {"images_1d_array", "1D_ARRAY", "1d_array", 4, "2, 1", "2.5f, 1", "2.75f, 1"},
    {"images_2d_array", "2D_ARRAY", "2d_array", 5, "2, 1, 1", "2.5f, 1.5f, 1", "2.75f, 1.5f, 1"},
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

std::vector<kernel> image_kernels() {
  std::vector<kernel> all;
  for (const kind& each : kinds) {
    std::string source = R"(YOKE_CONSTANT_SAMPLER(nearest, TEXELS, CLAMP_TO_EDGE, NEAREST);
YOKE_KERNEL run(YOKE_READ_IMAGE_@W(float, from), YOKE_SAMPLER(by), YOKE_WRITE_IMAGE_@W(float, to),
                YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  out[0] = (yoke_uint64)yoke_read_@F(float, from, @A);
  out[1] = (yoke_uint64)yoke_sample_@F(float, from, nearest, @B);
  out[2] = (yoke_uint64)(4.0f * yoke_sample_@F(float, from, by, @B));
  out[3] = (yoke_uint64)get_image_width(from);
  out[4] = @H;
  out[5] = @D;
  out[6] = @L;
  yoke_write_@F(float, to, @A, 7.0f);
}
)";
    const long texel = each.number == 1 ? 2 : each.number == 2 || each.number == 4 ? 12 : 112;
    const bool high = each.number == 2 || each.number == 3 || each.number == 5;
    const bool layers = each.number > 3;
    source = replaced(source, "@W", each.word);
    source = replaced(source, "@F", each.function);
    source = replaced(source, "@A", each.at);
    source = replaced(source, "@B", each.beside);
    source = replaced(source, "@H", high ? "(yoke_uint64)get_image_height(from)" : "3");
    source = replaced(source, "@D", each.number == 3 ? "(yoke_uint64)get_image_depth(from)" : "3");
    source = replaced(source, "@L", layers ? "(yoke_uint64)get_image_array_size(from)" : "3");
    // Behind the kernel's own seven the runner puts the written texel.
    kernel made = whole_kernel(each.name, "IMAGES", source, {texel, texel, 4 * texel + 1, 4, 3, 3, 3, 7});
    made.images = each.number;
    all.push_back(std::move(made));

    kernel both = whole_kernel(std::string(each.name) + "_in_place", "READ_WRITE_IMAGES",
                               replaced(replaced(replaced(R"(#if YOKE_HAS_READ_WRITE_IMAGES
YOKE_KERNEL run(YOKE_READ_WRITE_IMAGE_@W(float, both), YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  float old = yoke_read_@F(float, both, @A);
  out[0] = (yoke_uint64)old;
  yoke_write_@F(float, both, @A, old + 1.0f);
  YOKE_FENCE_IMAGES();
  out[1] = (yoke_uint64)yoke_read_@F(float, both, @A);
}
#endif
)",
                                                          "@W", each.word),
                                                 "@F", each.function),
                                        "@A", each.at),
                               {texel, texel + 1, texel + 1});
    both.images = each.number;
    both.in_place = true;
    all.push_back(std::move(both));
  }
  // Every type of texel, as kernels see it.
  for (const char* const type : {"float2", "float4", "int", "int2", "int4", "uint", "uint2", "uint4"}) {
    const std::string text = R"(YOKE_CONSTANT_SAMPLER(again, NORMALISED, REPEAT, NEAREST);
YOKE_CONSTANT_SAMPLER(mirrored, NORMALISED, MIRRORED_REPEAT, NEAREST);
YOKE_CONSTANT_SAMPLER(zeros, TEXELS, BORDER, LINEAR);
#if YOKE_HAS_IMAGES
@T copied(YOKE_READ_IMAGE_2D(@T, from), YOKE_WRITE_IMAGE_2D(@T, to)) {
  @T value = yoke_sample_2d(@T, from, again, 1.125f, 0.5f);
  yoke_write_2d(@T, to, 0, 0, value);
  return yoke_read_2d(@T, from, 0, 0);
}
#endif
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) { out[0] = in[0]; }
YOKE_KERNEL unused(YOKE_READ_IMAGE_2D(@T, from), YOKE_WRITE_IMAGE_2D(@T, to)) { (void)copied(from, to); }
)";
    all.push_back(whole_kernel(std::string("images_of_") + type, "IMAGES", replaced(text, "@T", type), {0}));
  }
  return all;
}

}  // namespace yoke_test::dialect
